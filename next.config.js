/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks types, the tests' own included; a build for running need not wait for that.
  typescript: { ignoreBuildErrors: true },
  // Native or WebAssembly inside: loaded from node_modules at run time, never bundled.
  serverExternalPackages: [
    '@node-rs/argon2',
    '@prisma/client',
    'libsql',
    'pg',
    'pino',
    'prom-client',
    'sharp',
  ],
  // Client logos and avatars are never fetched for anybody (attack M24).
  images: { unoptimized: true },
  devIndicators: false,
  // Pages load on first use: 30 MB less for an instance that mostly answers the direct line.
  // A picture is sent by an action; lib/host/server.ts holds every other page to less.
  experimental: {
    authInterrupts: true,
    // Writing these takes two fifths of a build: a cache that one build never reads, and source maps
    // that no production server loads.
    turbopackFileSystemCacheForBuild: false,
    turbopackSourceMaps: false,
    preloadEntriesOnStart: false,
    serverActions: { bodySizeLimit: '8mb' },
  },
}

const BEFORE_BUILDING = ['phase-production-build', 'phase-development-server']

/** Words that do not fit together are never built. A portal that runs has them built in. */
export default async function configFor(phase) {
  if (BEFORE_BUILDING.includes(phase)) {
    const { writeWords } = await import('./bin/words.mjs')
    writeWords()
  }
  return config
}
