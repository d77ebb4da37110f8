import pg from 'pg'

/** Everything that a PostgreSQL holds, as JSON, a row to a line. */
export async function everyRow(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: tables } = await client.query(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`,
  )
  let dump = ''
  for (const { table_name } of tables) {
    const { rows } = await client.query(
      `SELECT row_to_json("all")::text AS "all" FROM "${table_name}" AS "all"`,
    )
    dump += rows.map((row) => row.all).join('\n')
  }
  await client.end()
  return dump
}
