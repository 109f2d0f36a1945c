import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@asiento/chassis/free-port'

const run = promisify(execFile)
const version = '4.1.0'
const cache = new URL('../../node_modules/.cache/kafka/', import.meta.url).pathname

export interface KafkaBroker {
  brokers: string
  pid: number
  /** Ends it without a word, as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same data and address. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** True where this machine can run Apache Kafka: Java and Maven. */
export async function kafkaIsPossible(): Promise<boolean> {
  const found = await Promise.all([run('java', ['-version']), run('mvn', ['-v'])]).catch(() => undefined)
  return found !== undefined
}

/** The broker's own jars from Maven Central, fetched once into the cache of node_modules. */
async function jars(): Promise<string> {
  const target = join(cache, version)
  if (!existsSync(target)) {
    await mkdir(cache, { recursive: true })
    const draft = await mkdtemp(join(cache, 'draft-'))
    await writeFile(join(draft, 'pom.xml'), pom)
    const libs = join(draft, 'libs')
    await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${libs}`], {
      cwd: draft,
      maxBuffer: 32 * 1024 ** 2,
    })
    // Another test run may have been faster.
    await rename(libs, target).catch(() => {})
    await rm(draft, { recursive: true, force: true })
  }
  if ((await readdir(target)).length === 0) throw new Error('Kafka could not be fetched')
  return join(target, '*')
}

/** Starts one real broker (KRaft, broker and controller in one) on loopback; ready in about four seconds. */
export async function startKafka(): Promise<KafkaBroker> {
  const classpath = await jars()
  const directory = await mkdtemp(join(tmpdir(), 'asiento-kafka-'))
  const [port, controllerPort] = [await freePort(), await freePort()]
  const properties = join(directory, 'server.properties')
  await writeFile(properties, settings({ directory, port, controllerPort }))
  await run('java', [
    '-cp',
    classpath,
    'kafka.tools.StorageTool',
    'format',
    '-t',
    uuid(),
    '-c',
    properties,
    '--standalone',
  ])
  const brokers = `127.0.0.1:${port}`
  let broker = await launch(classpath, properties)
  return {
    brokers,
    get pid() {
      return broker.pid ?? 0
    },
    kill: () => end(broker, 'SIGKILL'),
    restart: async () => {
      broker = await launch(classpath, properties)
    },
    stop: async () => {
      await end(broker, 'SIGKILL')
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function launch(classpath: string, properties: string): Promise<ChildProcess> {
  const broker = spawn('java', ['-Xmx384m', '-Xms128m', '-cp', classpath, 'kafka.Kafka', properties], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => reject(new Error(`Kafka did not start: ${output}`)), 90_000)
    const listen = (chunk: Buffer) => {
      output = (output + chunk).slice(-8_000)
      if (!/Kafka Server started/.test(output)) return
      clearTimeout(timer)
      resolve(broker)
    }
    broker.stdout?.on('data', listen)
    broker.stderr?.on('data', listen)
    broker.once('exit', (status) => reject(new Error(`Kafka ended with ${status}: ${output}`)))
  })
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

const uuid = (): string => Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url')

interface Addresses {
  directory: string
  port: number
  controllerPort: number
}

const settings = ({ directory, port, controllerPort }: Addresses): string => `process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=${directory}/data
num.partitions=6
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
`

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>asiento</groupId><artifactId>kafka</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${version}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-simple</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
`
