// Drives an agent in RPC mode: commands are JSON lines on its stdin; responses and
// events are JSON lines on its stdout.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/**
 * Starts an agent. It returns rpc, which sends a command and resolves with the
 * data of its response; ended, which resolves when the agent has exited; and stop,
 * which ends it. hear is called with every event.
 */
export function startAgent(command, args, { cwd, env, hear }) {
  const agent = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise(done => agent.once('exit', done))
  const waiting = new Map()
  let serial = 0
  createInterface({ input: agent.stdout }).on('line', line => {
    let message
    try {
      message = JSON.parse(line)
    } catch {
      return // not every line is a message
    }
    if (message.type !== 'response') return hear(message)
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  })
  agent.on('exit', code => {
    for (const settle of waiting.values()) settle({ success: false, error: `the agent ended (${code})` })
  })

  const rpc = (type, fields = {}) =>
    new Promise((done, failed) => {
      const id = String(++serial)
      waiting.set(id, m => (m.success ? done(m.data) : failed(new Error(`${type}: ${m.error}`))))
      agent.stdin.write(JSON.stringify({ id, type, ...fields }) + '\n')
    })

  async function stop() {
    agent.stdin.end()
    const late = setTimeout(() => agent.kill('SIGKILL'), 5000)
    await ended
    clearTimeout(late)
  }

  return { rpc, ended, stop }
}
