import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/test/**/*.test.ts', '**/src/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    globalSetup: ['test/provision/global-setup.ts'],
    // Two cores: more processes than that only wait for each other.
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 480_000,
    // Waits are on conditions; how long one may take is the machine's matter, not the test's.
    expect: { poll: { timeout: 20_000 } },
  },
})
