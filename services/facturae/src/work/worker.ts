import { task } from '@asiento/chassis/worker-task'
import { ValidationFailure } from '@asiento/proto/errors'
import type { Outcome, Task, TaskResults } from './tasks.ts'
import { buildTask, inspectTask, signTask, validateTask } from './work.ts'

const run = async (work: Task): Promise<TaskResults[keyof TaskResults]> => {
  switch (work.kind) {
    case 'build':
      return buildTask(work.build, work.sign)
    case 'inspect':
      return inspectTask(work.bytes, work.today, work.sign)
    case 'sign':
      return signTask(work.bytes, work.sign, work.role)
    case 'validate':
      return validateTask(work.bytes, work.today)
  }
}

export default task(async (work: Task): Promise<Outcome> => {
  try {
    return { result: await run(work) }
  } catch (error) {
    if (error instanceof ValidationFailure) return { issues: error.issues }
    throw error
  }
})
