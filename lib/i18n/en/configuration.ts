import { english } from '../translation'

/** A portal as one document. */
export const configuration = english({
  title: 'Apply a configuration document',
  text: 'The document that npm run export writes and npm run apply reads: APIs, roles, applications and settings as JSON. What it does not name stays as it is. Secrets are not part of it.',
  file: 'File',
  document: 'Or paste the document',
  check: 'Show what would change',
  checking: 'Checking…',
  missing: 'Choose a file or paste a document.',
  notJson: 'This is not JSON. Check its quotes, commas and brackets.',
  nothing: 'Nothing to do: the portal matches the document already.',
  changes: 'This would change',
  changesText: '+ is created, ~ is changed, - is removed. Nothing has been changed yet.',
  go: 'Make {count} changes',
  goOne: 'Make 1 change',
  going: 'Applying…',
})
