/** A code to be compared or typed, in the order in which it is read in every language. */
export function BigCode({ code }: { code: string }) {
  return (
    <p className="rounded-panel border border-line bg-raised px-4 py-5 text-center font-mono font-semibold text-hero tracking-[0.08em]">
      <bdi dir="ltr">{code}</bdi>
    </p>
  )
}
