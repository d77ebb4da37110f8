export type SearchParams = Record<string, string | string[] | undefined>

/** What Next.js passes to a page: the dynamic parts of its path, and the query. */
export type PageProps<Part extends string = never> = {
  params: Promise<Record<Part, string>>
  searchParams: Promise<SearchParams>
}
