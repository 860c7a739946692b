// Plays a conversation with a real pi in RPC mode against the fake model.
//   node play.mjs PI_PACKAGE WORKDIR
// After every step one JSON line reports the step, pi's session file and the leaf.
// The next step begins with a line on stdin, so that the test can check the page
// first.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startModel } from '../model.mjs'
import { startAgent } from '../rpc.mjs'

const [pkg, work] = process.argv.slice(2)
const here = dirname(fileURLToPath(import.meta.url))
const agent = join(work, 'agent')
const project = join(work, 'project')
for (const dir of [agent, project]) mkdirSync(dir, { recursive: true })

const model = await startModel()
const price = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }
const named = (id, more) => ({ id, contextWindow: 128000, maxTokens: 4096, cost: price, ...more })
const config = { baseUrl: model.url, api: 'openai-completions', apiKey: 'none', models: [named('echo-1', { reasoning: true }), named('echo-2')] }
writeFileSync(join(agent, 'models.json'), JSON.stringify({ providers: { echo: config } }))
writeFileSync(join(agent, 'settings.json'), JSON.stringify({ defaultProvider: 'echo', defaultModel: 'echo-1', compaction: { keepRecentTokens: 50 } }))

const env = {
  PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: work, TERM: 'dumb', NO_PROXY: '127.0.0.1',
  PI_CODING_AGENT_DIR: agent, PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1',
}
const options = ['--mode', 'rpc', '--model', 'echo/echo-1', '-e', join(here, '..', 'moves.js'), '-nc', '-ns', '--no-mcp']
let runEnded = () => {}
const hear = event => event.type === 'agent_end' && runEnded()
const { rpc, ended, stop } = startAgent(process.execPath, [join(pkg, 'dist/bundle/cli.js'), ...options], { cwd: project, env, hear })

async function ask(message) {
  const run = Promise.race([new Promise(done => (runEnded = done)), ended])
  const handled = await rpc('prompt', { message })
  if (handled?.disposition !== 'handled' && !message.startsWith('/')) await run
  while ((await rpc('get_state')).isStreaming) await new Promise(done => setTimeout(done, 10))
}

const nth = async (role, n) =>
  (await rpc('get_entries')).entries.filter(e => e.type === 'message' && e.message.role === role)[n].id

const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
async function step(name, act) {
  await act()
  const { sessionFile } = await rpc('get_state')
  console.log(JSON.stringify({ step: name, file: sessionFile, leaf: (await rpc('get_tree')).leafId }))
  if ((await input.next()).done) throw new Error('whoever watched has left')
}

try {
  await step('prompt', () => ask('Where do we begin?'))
  await step('tool call', () => ask('run: echo from a tool'))
  await step('thinking', () => ask('think: branches'))
  await step('name', () => rpc('set_session_name', { name: 'Played live' }))
  await step('label', async () => ask(`/mark ${await nth('user', 1)} checkpoint`))
  await step('move', async () => ask(`/go ${await nth('assistant', 0)}`))
  await step('branch', () => ask('Another way, please'))
  await step('summary', async () => ask(`/go-summary ${await nth('user', 2)}`))
  await step('after the summary', () => ask('And on from here'))
  await step('shell', () => rpc('bash', { command: 'echo typed by hand' }))
  await step('thinking level', () => rpc('set_thinking_level', { level: 'high' }))
  await step('model', () => rpc('set_model', { provider: 'echo', modelId: 'echo-2' }))
  await step('failure', () => ask('break'))
  await step('compaction', () => rpc('compact'))
  await step('after the compaction', () => ask('What is left?'))
  await step('fork', async () => rpc('fork', { entryId: await nth('user', 1) }))
  await step('in the fork', () => ask('Only in the fork'))
  console.log(JSON.stringify({ step: 'end' }))
} catch (error) {
  console.error(String(error))
  process.exitCode = 1
}
input.return?.()
process.stdin.destroy()
await stop()
model.stop()
