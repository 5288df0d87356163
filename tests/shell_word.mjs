// shellWord returns a text as a shell takes it for one word, whatever signs a path has.
export const shellWord = text => `'${text.replaceAll("'", `'\\''`)}'`;
