import { z } from "zod";
export const schema = { text: z.string().describe("What to say") };
export const metadata = { name: "echo", description: "Says it again", annotations: { readOnlyHint: true } };
export default async function echo({ text }: { text: string }) { return { content: [{ type: "text", text }] }; }
