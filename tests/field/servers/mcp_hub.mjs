// Starts mcp-hub with one server behind it:  node mcp_hub.mjs FOLDER PORT URL
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';

const [folder, port, url] = process.argv.slice(2);
const config = join(folder, 'hub.json');
writeFileSync(config, JSON.stringify({mcpServers: {judged: {url}}}));
process.argv.splice(2, 3, '--port', port, '--config', config);
await import('mcp-hub/dist/cli.js');
