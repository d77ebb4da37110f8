/** No page asks for this answer. Without a file, Next.js puts its own page into the data of every page. */
export default function Unauthorized() {
  return null
}
