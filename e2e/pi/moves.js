// A pi extension: RPC mode has no command to move inside a session file or to
// set a label, so these slash commands do it.
export default function (pi) {
  const move = summarize => async (id, context) => {
    await context.waitForIdle()
    await context.navigateTree(id.trim(), { summarize })
  }
  pi.registerCommand('move', { description: 'move to an entry', handler: move(false) })
  pi.registerCommand('move-summary', { description: 'move to an entry and summarise what is left', handler: move(true) })
  pi.registerCommand('label', {
    description: 'label an entry',
    handler: async text => {
      const [id, ...words] = text.trim().split(/\s+/)
      pi.setLabel(id, words.join(' ') || undefined)
    },
  })
}
