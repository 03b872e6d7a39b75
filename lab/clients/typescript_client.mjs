// Proves that the official TypeScript SDK (npm `@modelcontextprotocol/client`) can drive the
// server: an SDK is stricter than our own tests about what a server may send, and agents use SDKs.
//
// usage: node typescript_client.mjs PAGESIGHT_BINARY|URL_OF_MCP URL_OF_DASHBOARD_HTML
// Over HTTP the token is in the environment variable PAGESIGHT_TOKEN.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

function check(holds, what) {
  if (!holds) throw new Error(what);
}

/** The number that the outline gives to the thing described by `line`. */
function reference(outline, line) {
  const found = outline.split('\n').map((l) => l.match(/^\s*\[([^\]]+)\] (.*)/)).find((m) => m?.[2].startsWith(line));
  check(found, `no \`${line}\` in the outline:\n${outline}`);
  return found[1];
}

async function drive(client) {
  const call = (name, args) => client.callTool({ name, arguments: args });
  const textOf = async (name, args) => {
    const result = await call(name, args);
    const text = result.content.filter((part) => part.type === 'text').map((part) => part.text).join('');
    check(!result.isError, `${name} answered an error: ${text}`);
    return text;
  };

  const { tools } = await client.listTools();
  console.log(`${tools.length} tools`);
  check(tools.length > 0, 'the server lists no tools');

  const navigated = await textOf('browser_navigate', { url });
  check(navigated.includes('"Dashboard - MyApp"  200'), `navigation: ${navigated}`);

  const outline = await textOf('inspect_tab', {});
  check(!outline.includes('status: Project created'), 'the page is not fresh');
  const search = reference(outline, 'textbox: Search projects');
  const button = reference(outline, 'button: New Project');

  const verdicts = (await textOf('browser_interact', {
    actions: [
      { type: 'fill', element: search, text: 'Apollo' },
      { type: 'click', element: button },
    ],
  })).split('\n');
  check(verdicts[0].startsWith(`filled [${search}]`), `verdict: ${verdicts[0]}`);
  check(verdicts[1]?.startsWith(`clicked [${button}]`), `verdict: ${verdicts[1]}`);

  const after = await textOf('inspect_tab', {});
  check(after.includes('status: Project created'), `the click had no effect:\n${after}`);
  check(after.includes('textbox: Search projects = "Apollo"'), `the fill had no effect:\n${after}`);

  const expanded = await textOf('expand_dom_selector', { elementId: button });
  const element = JSON.parse(expanded);
  check(element.name === 'New Project' && element.selectors.includes('#new'), `expanded: ${expanded}`);

  const shot = await call('take_screenshot', { format: 'png' });
  const images = shot.content.filter((part) => part.type === 'image');
  check(!shot.isError && images.length === 1, `no screenshot: ${JSON.stringify(shot).slice(0, 500)}`);
  check(images[0].mimeType === 'image/png', `screenshot is ${images[0].mimeType}`);
  check(Buffer.from(images[0].data, 'base64').toString('latin1', 1, 4) === 'PNG', 'the screenshot is no PNG');

  const wrong = await call('inspect_tab', { tab: 'no-such-tab' }); // a protocol error throws
  check(wrong.isError === true, `an unknown tab is not a tool error: ${JSON.stringify(wrong)}`);

  return `ok: ${tools.length} tools, protocol ${client.getNegotiatedProtocolVersion()}, navigate inspect fill click expand screenshot tool-error close`;
}

const [binary, url] = process.argv.slice(2);
if (!url) {
  console.error('usage: node typescript_client.mjs PAGESIGHT_BINARY|URL_OF_MCP URL_OF_DASHBOARD_HTML');
  process.exit(1);
}

/** The transport to a server that is started, or to one that runs. */
function transport() {
  if (!binary.startsWith('http')) return new StdioClientTransport({ command: binary, args: ['mcp'] });
  const headers = { Authorization: `Bearer ${process.env.PAGESIGHT_TOKEN}` };
  return new StreamableHTTPClientTransport(new URL(binary), { requestInit: { headers } });
}

const client = new Client({ name: 'pagesight-check', version: '1.0.0' });
const stray = []; // JSON that is no message; lines that are no JSON the SDK skips in silence
client.onerror = (error) => stray.push(error);
try {
  let ok, closing;
  try {
    await client.connect(transport());
    ok = await drive(client);
  } finally {
    closing = performance.now();
    await client.close();
  }
  // The SDK kills, without a word, a server that is still there 2 s after its input closed.
  check(performance.now() - closing < 2000, 'the server did not exit when its input closed');
  check(stray.length === 0, `not protocol messages: ${stray}`);
  console.log(ok);
} catch (error) {
  console.log(`failed: ${error.message}`);
  process.exitCode = 1;
}
