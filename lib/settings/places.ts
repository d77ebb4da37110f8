import { readFileSync, statSync } from 'node:fs'
import { type CityResponse, Reader } from 'mmdb-lib'
import type { Locale } from '../i18n/locales'
import { ConfigError } from './config'

/** Where an IP address roughly is, by a file in MaxMind's format (GEOIP_FILE). */
export type Places = {
  /** Such as "Zürich, Switzerland"; null if it is not known. */
  of(ip: string | null, locale: Locale): string | null
}

/** The file is replaced every few weeks while the portal runs. */
const LOOKED_AT_AGAIN_MS = 60_000

/** Languages that these files call otherwise. */
const CALLED: Partial<Record<Locale, string>> = { 'zh-Hans': 'zh-CN' }

export function placesIn(path: string | null): Places {
  if (path === null) return { of: () => null }
  const file = openFile(path)
  return {
    of(ip, locale) {
      const found = ip === null ? null : foundIn(file(), ip)
      const named = (names: Names) => names[CALLED[locale] ?? locale] ?? names.en
      const words = [named({ ...found?.city?.names }), named({ ...found?.country?.names })]
      return words.filter((word) => word !== undefined).join(', ') || null
    },
  }
}

/** A file with a damaged record must not stop the notice that would have named the place. */
function foundIn(reader: Reader<CityResponse>, ip: string): CityResponse | null {
  try {
    return reader.get(ip)
  } catch {
    return null
  }
}

type Names = Readonly<Record<string, string | undefined>>

/** A new file that cannot be read leaves the old one in use. */
function openFile(path: string): () => Reader<CityResponse> {
  let reader = read(path)
  let changedAt = statSync(path).mtimeMs
  let nextLook = performance.now() + LOOKED_AT_AGAIN_MS
  return () => {
    if (performance.now() < nextLook) return reader
    nextLook = performance.now() + LOOKED_AT_AGAIN_MS
    const { mtimeMs = changedAt } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs === changedAt) return reader
    changedAt = mtimeMs
    reader = readQuietly(path) ?? reader
    return reader
  }
}

function readQuietly(path: string): Reader<CityResponse> | null {
  try {
    return read(path)
  } catch {
    return null
  }
}

function read(path: string): Reader<CityResponse> {
  try {
    return new Reader<CityResponse>(readFileSync(path))
  } catch (cause) {
    throw new ConfigError(
      `GEOIP_FILE: ${path} cannot be read as a file in MaxMind's format (.mmdb): check the path, or unset it`,
      { cause },
    )
  }
}
