// Loaded before a server that is measured: what it has used so far, asked over the channel to its parent.
process.on('message', (asked) => {
  if (asked !== 'usage') return
  const { user, system } = process.cpuUsage()
  process.send({ cpuMs: (user + system) / 1000, rssMb: process.memoryUsage.rss() / 1e6 })
})
process.channel.unref()
