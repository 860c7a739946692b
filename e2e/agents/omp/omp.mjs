// Starts a real oh-my-pi in RPC mode against the fake model.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startModel } from '../model.mjs'
import { startAgent } from '../rpc.mjs'

const extension = join(dirname(fileURLToPath(import.meta.url)), '..', 'moves.js')

function configure(agent, url) {
  const cost = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }
  const named = id => ({ id, contextWindow: 128000, maxTokens: 4096, reasoning: true, input: ['text', 'image'], cost })
  const echo = { baseUrl: url, api: 'openai-completions', apiKey: 'none', models: [named('echo-1'), named('echo-2')] }
  mkdirSync(agent, { recursive: true })
  // JSON is YAML.
  writeFileSync(join(agent, 'models.yml'), JSON.stringify({ providers: { echo } }))
  writeFileSync(join(agent, 'config.yml'), JSON.stringify({ compaction: { keepRecentTokens: 50 }, retry: { enabled: false } }))
}

/**
 * Starts oh-my-pi in WORK/project. It returns rpc, ask, which sends a prompt and
 * resolves when everything that came of it is done, and stop. heard is called with
 * the body of every request to the model.
 */
export async function startOmp(cli, work, heard, ...more) {
  const agent = join(work, 'agent')
  const project = join(work, 'project')
  const model = await startModel(heard)
  configure(agent, model.url)
  mkdirSync(project, { recursive: true })
  const env = {
    PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: work, TERM: 'dumb', NO_PROXY: '127.0.0.1',
    PI_CODING_AGENT_DIR: agent, PI_NO_TITLE: '1', OMP_SKIP_SETUP: '1',
  }
  const options = ['--mode', 'rpc', '--no-ui', '--model', 'echo/echo-1', '-e', extension, '--no-extensions', '--no-skills', '--no-rules', '--no-lsp', '--auto-approve', '--system-prompt', 'Answer.']
  let settle = () => {}
  const hear = event => event.type === 'prompt_result' && settle(event)
  const omp = startAgent(process.execPath, [cli, ...options, ...more], { cwd: project, env, hear })

  async function ask(message) {
    const result = Promise.race([new Promise(done => (settle = done)), omp.ended])
    const accepted = await omp.rpc('prompt', { message })
    if (accepted?.agentInvoked !== false) await result
  }
  async function stop() {
    await omp.stop()
    model.stop()
  }
  return { rpc: omp.rpc, ask, stop }
}
