interface Waiting<I, O> {
  input: I
  resolve: (output: O) => void
  reject: (reason: unknown) => void
}

/**
 * Lets calls that come at the same time share one piece of work, a transaction as a rule: while one group is under way the
 * next one gathers, at most `groupMax` of them. A call that comes alone waits for one turn of the event loop, or for
 * `gatherMs` where nobody waits for the answer and others are likely to come.
 *
 * `work` answers in the order of its inputs. Where a group fails each of its calls is done again by itself, so that none
 * fails for another's fault; `work` must therefore leave nothing behind when it fails, or find its own traces.
 */
export function together<I, O>(
  groupMax: number,
  work: (inputs: readonly I[]) => Promise<readonly O[]>,
  { gatherMs = 0 } = {},
): (input: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = []
  let busy = false
  let full = () => {}

  const gathered = () =>
    new Promise<void>((resolve) => {
      if (waiting.length >= groupMax) return resolve()
      const timer = setTimeout(resolve, gatherMs)
      full = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const serveAll = async () => {
    while (waiting.length > 0) {
      if (gatherMs > 0) await gathered()
      await serve(work, waiting.splice(0, groupMax))
    }
    busy = false
  }
  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      if (waiting.length >= groupMax) full()
      if (busy) return
      busy = true
      setImmediate(serveAll)
    })
}

async function serve<I, O>(
  work: (inputs: readonly I[]) => Promise<readonly O[]>,
  group: readonly Waiting<I, O>[],
): Promise<void> {
  try {
    const outputs = await work(group.map(({ input }) => input))
    // The work answers one output for each input.
    group.forEach(({ resolve }, index) => {
      resolve(outputs[index] as O)
    })
  } catch (error) {
    const [first] = group
    if (group.length === 1) first?.reject(error)
    else await Promise.all(group.map((call) => serve(work, [call])))
  }
}
