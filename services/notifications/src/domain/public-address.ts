import ipaddr from 'ipaddr.js'

/** 2000::/3, the only part of IPv6 from which public addresses are given out. */
const globalUnicast = ipaddr.IPv6.parse('2000::')

/**
 * True for an address on the public internet, the only kind that a webhook may reach. Everything that the registries of
 * special-purpose addresses (RFC 6890 and its IANA tables) hold is refused, and every IPv6 form that carries an IPv4
 * address inside (mapped, compatible, 6to4, NAT64, Teredo), because a router on the way may unwrap it.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv6 ? address.match(globalUnicast, 3) : true
}

/** The address that a URL's host spells out, null for a name. WHATWG URLs have made every numeric form canonical. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(bare) ? bare : null
}
