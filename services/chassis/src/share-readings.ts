/**
 * Lets calls for the same thing share a reading: those that arrive while one is under way share the next one, so that
 * nobody is given a reading that began before the call. At most two per thing exist at a time, however many call.
 *
 * @param read a call without effects
 * @param nameOf tells things apart
 */
export function shareReadings<I, C, O>(
  read: (input: I, context: C) => Promise<O>,
  nameOf: (input: I) => string,
): (input: I, context: C) => Promise<O> {
  const readings = new Map<string, { underWay: Promise<O>; next: Promise<O> | null }>()
  return (input, context) => {
    const name = nameOf(input)
    const begin = (): Promise<O> => {
      const reading = { underWay: read(input, context), next: null }
      readings.set(name, reading)
      const end = () => {
        if (readings.get(name) === reading && reading.next === null) readings.delete(name)
      }
      reading.underWay.then(end, end)
      return reading.underWay
    }
    const current = readings.get(name)
    if (current === undefined) return begin()
    current.next ??= current.underWay.then(begin, begin)
    return current.next
  }
}
