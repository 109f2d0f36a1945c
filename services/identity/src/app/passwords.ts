import { hash, verify } from '@node-rs/argon2'

/** argon2id with the parameters of RFC 9106's second choice, scaled to a server's memory (OWASP: m = 19 MiB, t = 2). */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** A password as it is kept, in the PHC form. Runs on the thread pool. */
export const hashPassword = (password: string): Promise<string> => hash(password, parameters)

let decoy: Promise<string> | undefined

/**
 * True when the password is the one that was kept. Without a kept one the same work is done all the same, so that the
 * time tells nothing about whether an address has an account.
 */
export async function checkPassword(kept: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const right = await verify(kept ?? (await decoy), password)
  return right && kept !== null && kept !== undefined
}
