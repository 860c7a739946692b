// Plays conversations with a real oh-my-pi against the fake model.
//   bun play.mjs CLI WORKDIR
// After every step one JSON line reports the session file, the leaf, and the last
// prompt and answer of the file.
import { startOmp } from './omp.mjs'

const [cli, work] = process.argv.slice(2)
const omp = await startOmp(cli, work, () => {})

async function last(role) {
  const { entries } = await omp.rpc('get_entries')
  return entries.findLast(entry => entry.type === 'message' && entry.message.role === role)?.id ?? ''
}

// The result of a scout arrives by itself, after the prompt that started it.
async function settled() {
  while (!(await omp.rpc('get_state')).isSettled) await new Promise(done => setTimeout(done, 20))
}

const at = {}

async function step(name, act) {
  await act()
  const { sessionFile: file } = await omp.rpc('get_state')
  at[name] = { step: name, file, leaf: (await omp.rpc('get_tree')).leafId, prompt: await last('user'), answer: await last('assistant') }
  console.log(JSON.stringify(at[name]))
}

await step('first', () => omp.ask('Where do we begin?'))
await step('tool', () => omp.ask('run: echo from a tool'))
await step('thinking', () => omp.ask('think: branches'))
await step('name', () => omp.rpc('set_session_name', { name: 'Played' }))
await step('label', () => omp.ask(`/mark ${at.tool.prompt} checkpoint`))
await step('move', () => omp.ask(`/go ${at.first.answer}`))
await step('branch', () => omp.ask('Another way, please'))
await step('summary', () => omp.ask(`/go-summary ${at.tool.answer}`))
await step('after the summary', () => omp.ask('And on from here'))
await step('note', () => omp.ask('/note By an extension'))
await step('shell', () => omp.rpc('bash', { command: 'echo typed by hand' }))
await step('failure', () => omp.ask('break'))
await step('after the failure', () => omp.ask('And now?'))
await step('scout', () => omp.ask('scout: Say hello'))
await step('answer of the scout', settled)
await step('model', () => omp.rpc('set_model', { provider: 'echo', modelId: 'echo-2' }))
await step('compaction', () => omp.rpc('compact'))
await step('last', () => omp.ask('What is left?'))

await step('new', () => omp.rpc('new_session'))
await step('before the reset', () => omp.ask('Soon forgotten'))
await step('reset', () => omp.ask('/reset'))
await step('after the reset', () => omp.ask('All new'))
await omp.stop()
process.exit(0)
