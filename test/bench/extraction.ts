import { benchBatch } from '../../services/extraction/tools/bench-batch.ts'
import { benchMemory, benchScans, benchThreads, type Heavy } from '../../services/extraction/tools/bench-reading.ts'
import { type Figure, median, short } from './figure.ts'
import { withPostgres } from './services.ts'

/** What a job costs beside the bare pipeline over the same files. */
export async function benchJobs({ files = 500 } = {}): Promise<Figure[]> {
  const result = await withPostgres((url) => {
    process.env.TEST_POSTGRES_URL = url
    return benchBatch({ files })
  })
  return [
    {
      name: `batch job of ${result.files} digital PDFs, CPU time over the bare pipeline`,
      ours: `${short(result.jobSecondsPerFile * 1_000)} ms a file`,
      baseline: `${short(result.bareSecondsPerFile * 1_000)} ms a file`,
      ratio: result.ratio,
      target: { atMost: 1.2 },
    },
  ]
}

/** Reading itself: threads, scans beside the bare engine, and the memory of heavy documents. */
export async function benchReading(): Promise<Figure[]> {
  return [await threads(), ...(await scans()), ...(await memory())]
}

async function threads(): Promise<Figure> {
  const { one, two } = await benchThreads()
  return {
    name: 'reading digital PDFs on two threads, of one',
    ours: `${short(median(two))}/s`,
    baseline: `${short(median(one))}/s`,
    ratio: median(two.map((rate, turn) => rate / (one[turn] ?? Number.NaN))),
    target: { atLeast: 1.8 },
  }
}

async function scans(): Promise<Figure[]> {
  const times = await benchScans()
  const row = (name: string, proved: boolean, atMost: number): Figure[] => {
    const own = times.filter((time) => time.proved === proved)
    if (own.length === 0) return []
    return [
      {
        name: `scan page ${name} (${own.length} pages), time over bare tesseract.js`,
        ours: `${short(median(own.map(({ oursMs }) => oursMs)))} ms`,
        baseline: `${short(median(own.map(({ bareMs }) => bareMs)))} ms`,
        ratio: median(own.map(({ oursMs, bareMs }) => oursMs / bareMs)),
        target: { atMost },
      },
    ]
  }
  return [...row('whose amounts prove at first', true, 1.2), ...row('that is read a second time', false, 2.5)]
}

async function memory(): Promise<Figure[]> {
  const small = await benchMemory('one page')
  const row = async (document: Heavy): Promise<Figure> => {
    const peak = await benchMemory(document)
    return {
      name: `memory of a process that reads ${document}, over one page's`,
      ours: `${peak} MB`,
      baseline: `${small} MB`,
      ratio: peak / small,
      target: null,
    }
  }
  return [await row('300 pages'), await row('photo of 20 MB')]
}
