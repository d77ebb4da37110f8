import { fileURLToPath } from 'node:url'

/** @type {import('next').NextConfig} */
export default {
  // The packages are those of the project around it.
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
  // Turbopack also looks in the folders above, and would run the portal's own proxy.ts in here.
  pageExtensions: ['tsx'],
  typescript: { ignoreBuildErrors: true },
  devIndicators: false,
}
