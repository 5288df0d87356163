// Refunds an order and writes to the customer: a program of fixed steps on the MCP SDK, without a model.
//
//   node agent.mjs CONFIG REQUEST

import {readFileSync} from 'node:fs';

import {Client} from '@modelcontextprotocol/client';
import {StdioClientTransport} from '@modelcontextprotocol/client/stdio';

const [config, request] = process.argv.slice(2);
const {mcpServers} = JSON.parse(readFileSync(config, 'utf8'));
const clients = {};

for (const [name, {command, args, env}] of Object.entries(mcpServers)) {
  clients[name] = new Client({name: 'refunds', version: '1.0.0'});
  await clients[name].connect(new StdioClientTransport({command, args, env}));
}

async function call(server, name, args) {
  const {content, isError} = await clients[server].callTool({name, arguments: args});
  const text = content.map(part => part.text).join('\n');
  if (isError) throw new Error(text);
  return text;
}

try {
  const number = Number(/\d+/.exec(request)[0]);
  const order = JSON.parse(await call('orders', 'find_order', {number}));
  await call('orders', 'refund_order', {number, amount: order.paid});
  await call('mail', 'send_mail', {to: order.customer, text: `We have refunded ${order.paid} EUR for order ${number}.`});
  console.log(`Order ${number}: ${order.paid} EUR refunded, ${order.customer} knows.`);
} catch (error) {
  console.log(`Nothing more was done: ${error.message}`);
  process.exitCode = 1;
}
for (const client of Object.values(clients)) await client.close();
