#!/bin/sh
# Makes the certificates that the tests sign with, worth nothing outside them. Needs openssl 3; run by hand, the result is
# committed because golden signatures depend on it. Password of all: facturae, save where the name says another.
set -eu
out="$(cd "$(dirname "$0")" && pwd)/fixtures"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir issued && : > index.txt

cat > ca.cnf <<'CNF'
[ca]
default_ca = ca_default
[ca_default]
database = index.txt
new_certs_dir = issued
rand_serial = yes
default_md = sha256
policy = any
copy_extensions = none
unique_subject = no
[any]
[root_ext]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
[ca_ext]
basicConstraints = critical,CA:TRUE,pathlen:0
keyUsage = critical,keyCertSign,cRLSign
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[leaf]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature,nonRepudiation,keyEncipherment
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[encipher]
basicConstraints = critical,CA:FALSE
keyUsage = critical,keyEncipherment
[stamp]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
CNF

# issue NAME KEY SUBJECT ISSUER EXTENSIONS FROM TO
issue() {
  openssl req -new -utf8 -key "$2" -subj "$3" -nameopt utf8 -out "$1.csr" -config /dev/stdin <<'CNF'
[req]
distinguished_name = dn
string_mask = utf8only
[dn]
CNF
  if [ "$4" = self ]; then signer="-selfsign -keyfile $2"; else signer="-cert $4.pem -keyfile $4.key"; fi
  # shellcheck disable=SC2086
  openssl ca -batch -notext -preserveDN -config ca.cnf $signer -extensions "$5" -startdate "$6" -enddate "$7" \
    -in "$1.csr" -out "$1.pem" 2> /dev/null
}

for name in root users companies natural; do openssl genrsa -out "$name.key" 2048 2> /dev/null; done
openssl genrsa -out weak.key 1024 2> /dev/null
openssl ecparam -name prime256v1 -genkey -noout -out ec.key

from=20240101000000Z; to=20441231235959Z
issue root root.key '/C=ES/O=ASIENTO TEST/OU=AC RAIZ TEST' self root_ext "$from" "$to"
issue users users.key '/C=ES/O=ASIENTO TEST/CN=AC Usuarios TEST' root ca_ext "$from" "$to"
issue companies companies.key '/C=ES/O=ASIENTO TEST/2.5.4.97=VATES-Q2826004J/CN=AC Representación TEST' root ca_ext "$from" "$to"
person='/C=ES/serialNumber=IDCES-99999999R/SN=ESPAÑOL CORTÉS/GN=JUAN/CN=ESPAÑOL CORTÉS JUAN - 99999999R'
issue natural natural.key "$person" users leaf "$from" "$to"
issue ec ec.key "$person" users leaf "$from" "$to"
issue weak weak.key "$person" users leaf "$from" "$to"
issue expired natural.key "$person" users leaf 20180101000000Z 20220101000000Z
issue future natural.key "$person" users leaf 20400101000000Z "$to"
issue encipher natural.key "$person" users encipher "$from" "$to"
issue stamp natural.key '/C=ES/O=ASIENTO TEST/CN=TSA TEST' root stamp "$from" "$to"
issue company natural.key \
  '/C=ES/O=EMPRESA, S.L./2.5.4.97=VATES-B12345674/serialNumber=IDCES-99999999R/CN=99999999R JUAN ESPAÑOL (R: B12345674)' \
  companies leaf "$from" "$to"
cat users.pem root.pem > users-chain.pem
cat companies.pem root.pem > companies-chain.pem

# pack FILE LEAF KEY CHAIN PASSWORD OPTIONS...
pack() {
  file=$1 leaf=$2 key=$3 chain=$4 password=$5; shift 5
  if [ -n "$chain" ]; then set -- -certfile "$chain" "$@"; fi
  openssl pkcs12 -export -in "$leaf.pem" -inkey "$key.key" -out "$out/$file" -passout "pass:$password" "$@"
  chmod 644 "$out/$file"
}
mkdir -p "$out"
pack natural.p12 natural natural users-chain.pem facturae
pack legacy-rc2.p12 natural natural users-chain.pem facturae -legacy
pack legacy-3des.pfx natural natural users-chain.pem facturae -legacy -keypbe PBE-SHA1-3DES -certpbe PBE-SHA1-3DES
pack ec.p12 ec ec users-chain.pem facturae
pack company.p12 company natural companies-chain.pem facturae
pack weak.p12 weak weak users-chain.pem facturae
pack expired.p12 expired natural users-chain.pem facturae
pack future.p12 future natural users-chain.pem facturae
pack encipher.p12 encipher natural users-chain.pem facturae
pack no-chain.p12 natural natural '' facturae
pack empty-password.p12 natural natural users-chain.pem ''
pack no-mac.p12 natural natural users-chain.pem '' -keypbe NONE -certpbe NONE -nomac
pack nonascii-legacy.p12 natural natural users-chain.pem 'contraseña€' -legacy
pack nonascii-modern.p12 natural natural users-chain.pem 'contraseña€'
pack stamp.p12 stamp natural root.pem facturae
openssl pkcs12 -export -nokeys -in natural.pem -out "$out/no-key.p12" -passout pass:facturae
cp root.pem "$out/root.pem"
