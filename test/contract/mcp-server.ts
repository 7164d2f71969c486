/** The source of an MCP server without dependencies. It has one tool, which returns `text`. */
export const mcpServer = (tool: string, text: string): string => `
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'test', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: '${tool}', description: 'A text', inputSchema: { type: 'object', properties: {} } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: '${text}' }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const said = answer ? { result: answer(params) } : { error: { code: -32601, message: 'unknown' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
});
`;
