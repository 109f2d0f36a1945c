import { createHash } from 'node:crypto'
import { Readable, Transform } from 'node:stream'
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  NoSuchKey,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { checkedKey, type Objects, ObjectTooLargeError } from './objects.ts'

export interface S3Options {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** Objects in an S3 bucket; streams go up in parts, so memory stays bounded. */
export function createS3Objects(options: S3Options): Objects {
  const client = new S3Client({
    endpoint: options.endpoint,
    region: options.region,
    forcePathStyle: true,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const at = (key: string) => ({ Bucket: options.bucket, Key: checkedKey(key) })
  const read = (key: string) =>
    client.send(new GetObjectCommand(at(key))).catch((error: unknown) => {
      if (error instanceof NoSuchKey) return null
      throw error
    })

  return {
    put: async (key, source, putOptions = {}) => {
      const meter = createMeter(putOptions.bytesMax ?? Number.POSITIVE_INFINITY)
      const input = source instanceof Uint8Array ? Readable.from([source]) : source
      input.on('error', (error) => meter.stream.destroy(error))
      const upload = new Upload({
        client,
        params: {
          ...at(key),
          Body: input.pipe(meter.stream),
          ContentType: putOptions.contentType ?? 'application/octet-stream',
        },
      })
      await upload.done()
      return { key, ...meter.result() }
    },
    get: async (key) => {
      const found = await read(key)
      return found?.Body === undefined ? null : Buffer.from(await found.Body.transformToByteArray())
    },
    stream: async (key) => {
      const found = await read(key)
      return found?.Body === undefined ? null : { body: found.Body as Readable, sizeBytes: found.ContentLength ?? 0 }
    },
    move: async (from, to) => {
      await client.send(new CopyObjectCommand({ ...at(to), CopySource: `${options.bucket}/${checkedKey(from)}` }))
      await client.send(new DeleteObjectCommand(at(from)))
    },
    delete: async (key) => {
      await client.send(new DeleteObjectCommand(at(key)))
    },
    sweep: (prefix, olderThan) => sweep(client, options.bucket, checkedKey(prefix), olderThan),
    probe: async () => {
      await client.send(new HeadBucketCommand({ Bucket: options.bucket }))
    },
  }
}

function createMeter(bytesMax: number) {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const stream = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      sizeBytes += chunk.byteLength
      if (sizeBytes > bytesMax) return done(new ObjectTooLargeError(bytesMax))
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ sha256: hash.digest('hex'), sizeBytes }) }
}

async function sweep(client: S3Client, bucket: string, prefix: string, olderThan: Date): Promise<number> {
  let swept = 0
  let continuation: string | undefined
  do {
    const page = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: `${prefix}/`, ContinuationToken: continuation }),
    )
    for (const object of page.Contents ?? []) {
      if (object.Key === undefined || object.LastModified === undefined || object.LastModified >= olderThan) continue
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: object.Key }))
      swept += 1
    }
    continuation = page.NextContinuationToken
  } while (continuation !== undefined)
  return swept
}
