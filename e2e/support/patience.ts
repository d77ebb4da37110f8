/** A busy machine is slow, not wrong: asks again as long as the answer is 503, which decides nothing. */
export async function untilDecided<Answer extends { status: number }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
  }
}
