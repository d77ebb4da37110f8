import { english } from '../translation'

/** The frame around the documents at /docs. The documents themselves are in English. */
export const guides = english({
  title: 'Documentation',
  lead: 'How this portal works, how to connect applications and APIs to it, and how to run it.',
  navigation: 'Documents',
  open: 'Find a document',
  search: 'Search the documentation',
  searchHint: 'Word or code',
  submit: 'Search',
  results: 'Results for “{question}”',
  found: '{count} results',
  foundOne: '1 result',
  nothingFound: 'Nothing found. Try another word, or a part of one.',
  all: 'All documents',
  link: 'Link to {name}',
  table: 'Table',
  code: {
    commands: 'Commands',
    answer: 'Answer',
    request: 'Request',
    example: 'Example',
  },
  filled: 'The examples use the address of this portal: {origin}',
  application: 'Application in the examples',
  applicationNone: 'None: YOUR_CLIENT_ID',
  fill: 'Fill in',
  onlyEnglish: 'The documents are in English.',
  groups: {
    concepts: 'Concepts',
    howTo: 'How-to guides',
    operations: 'Operations',
    reference: 'Reference',
    project: 'The project',
  },
})
