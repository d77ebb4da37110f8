import { directionOf, type Locale } from '../../i18n/locales'

/** One mail, as text and as HTML: no images, no tracking, nothing that has to be fetched. */

export type Letter = {
  /** The name of the portal. */
  from: string
  locale: Locale
  subject: string
  greeting: string
  paragraphs: string[]
  /** To be typed somewhere else. */
  code?: string
  /** Names and values, such as when and from where. */
  facts?: [string, string][]
  /** What to do about it, above the button. */
  advice?: string
  button?: { label: string; href: string }
  /** Smaller text below the button. */
  notes: string[]
}

export function asText({
  from,
  greeting,
  paragraphs,
  code,
  facts,
  advice,
  button,
  notes,
}: Letter): string {
  const lines = facts?.map(([name, value]) => `  ${name}: ${value}`).join('\n')
  const action = button && `${button.label}:\n${button.href}`
  const parts = [greeting, ...paragraphs, code && `  ${code}`, lines, advice, action, ...notes]
  return `${parts.filter(Boolean).join('\n\n')}\n\n-- \n${from}\n`
}

export function asHtml(letter: Letter): string {
  const { locale, subject, greeting, paragraphs, code, facts, advice, button, notes } = letter
  return `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body dir="${directionOf(locale)}" style="margin:0;padding:32px 20px;font:16px/1.6 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="max-width:34em;margin:0 auto">
<h1 style="margin:0 0 24px;font-size:22px;line-height:1.3">${escaped(subject)}</h1>
${[greeting, ...paragraphs].map((text) => paragraph(text, '16px')).join('\n')}
${code ? big(code) : ''}
${facts ? table(facts, directionOf(locale)) : ''}
${advice ? paragraph(advice, '16px') : ''}
${button ? action(button) : ''}
${notes.map((text) => paragraph(text, '14px')).join('\n')}
</div>
</body>
</html>
`
}

function paragraph(text: string, size: string): string {
  return `<p style="margin:0 0 16px;font-size:${size};overflow-wrap:anywhere">${escaped(text)}</p>`
}

function big(code: string): string {
  return `<p dir="ltr" style="margin:0 0 16px;font:600 30px/1.3 ui-monospace,monospace;letter-spacing:2px">${escaped(code)}</p>`
}

/** Logical CSS is unknown to many mail programs; `dir` is not. */
function table(facts: [string, string][], direction: 'ltr' | 'rtl'): string {
  const padding = direction === 'rtl' ? '6px 0 6px 16px' : '6px 16px 6px 0'
  const side = direction === 'rtl' ? 'right' : 'left'
  const cell = `padding:${padding};vertical-align:top;text-align:${side};font-size:14px`
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th scope="row" style="${cell};font-weight:400;opacity:0.75;white-space:nowrap">${escaped(name)}</th><td style="${cell};overflow-wrap:anywhere">${escaped(value)}</td></tr>`,
  )
  return `<table style="margin:0 0 16px;border-collapse:collapse">${rows.join('')}</table>`
}

/** The URL is also shown as text: a button that hides where it leads teaches bad habits. */
function action({ label, href }: { label: string; href: string }): string {
  return `<p style="margin:24px 0 12px"><a href="${escaped(href)}" style="display:inline-block;padding:12px 22px;border-radius:8px;background:#12604f;color:#ffffff;font-weight:600;text-decoration:none">${escaped(label)}</a></p>
<p dir="ltr" style="margin:0 0 24px;font-size:14px;overflow-wrap:anywhere">${escaped(href)}</p>`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
