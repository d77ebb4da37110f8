const ARCHWAY = 'M204 520V356a76 76 0 0 1 152 0v164z'
const BEYOND = 'M218 520V356a62 62 0 0 1 124 0v164z'
const BARS = [226, 244, 262, 280, 298, 316, 334]
const RUNGS = [318, 354, 390, 426, 462]
const VOUSSOIRS = [-78, -56, -34, -12, 12, 34, 56, 78]
const TOWER_JOINTS = 'M14 214h26M98 236h32M14 340h34M88 362h42M14 452h22M104 438h26M52 480h30'
const WALL_JOINTS = 'M172 300h22M168 392h14M378 330h20M380 430h14M176 460h10M366 286h22'

type Props = { open: boolean; className: string }

/** The drawing that stands on the footer's line. Decoration: it says nothing the words do not. */
export function Gatehouse({ open, className }: Props) {
  return (
    <svg viewBox="0 0 560 520" className={className} aria-hidden="true">
      <Wall />
      <Tower transform="translate(10)" lit={open} />
      <Tower transform="translate(550) scale(-1 1)" lit={open} />
      <path d={ARCHWAY} className="fill-stone-joint" />
      <clipPath id="beyond">
        <path d={BEYOND} />
      </clipPath>
      <g clipPath="url(#beyond)">
        {open ? <Landscape /> : <path d={BEYOND} className="fill-gate-dark" />}
        <Portcullis raised={open} />
      </g>
    </svg>
  )
}

function Wall() {
  return (
    <g>
      <path
        d="M140 520V206h34v26h26v-26h36v26h26v-26h36v26h26v-26h36v26h26v-26h34v314z"
        className="fill-stone"
      />
      <path d={WALL_JOINTS} className="stroke-stone-shade" strokeWidth="3" />
      <path d="M180 520V356a100 100 0 0 1 200 0v164z" className="fill-stone-shade" />
      {VOUSSOIRS.map((angle) => (
        <path
          key={angle}
          d="M280 256v26"
          transform={`rotate(${angle} 280 356)`}
          className="stroke-stone"
          strokeWidth="2.5"
        />
      ))}
    </g>
  )
}

function Tower({ transform, lit }: { transform: string; lit: boolean }) {
  return (
    <g transform={transform}>
      <path
        d="M4 520v-26h6V172L0 156v-52h26v22h24v-22h44v22h24v-22h26v52l-10 16v322h6v26z"
        className="fill-stone-shade"
      />
      <path d="M10 173h124" className="stroke-stone-joint" strokeWidth="3" />
      <path d={TOWER_JOINTS} className="stroke-stone-joint" strokeWidth="3" />
      <Window d="M64 296v-44a8 8 0 0 1 16 0v44z" lit={lit} />
      <Window d="M64 420v-44a8 8 0 0 1 16 0v44z" lit={false} />
    </g>
  )
}

function Window({ d, lit }: { d: string; lit: boolean }) {
  return <path d={d} className={lit ? 'fill-gate-light' : 'fill-stone-joint'} />
}

function Landscape() {
  return (
    <g>
      <path d={BEYOND} className="fill-gate-sky" />
      <circle cx="306" cy="392" r="17" className="fill-gate-light" />
      <path d="M218 520v-62q40-26 72-14t52-12v88z" className="fill-gate-hill" />
      <path d="M258 520q34-26 22-44t18-28q-2 18 10 32t-2 40z" className="fill-gate-sky" />
    </g>
  )
}

function Portcullis({ raised }: { raised: boolean }) {
  return (
    <g
      className={raised ? 'stroke-gate-dark' : 'stroke-stone-shade'}
      transform={raised ? 'translate(0 -182)' : undefined}
      fill="none"
    >
      {BARS.map((x) => (
        <path key={x} d={`M${x} 100V508`} strokeWidth="5" strokeLinecap="round" />
      ))}
      {RUNGS.map((y) => (
        <path key={y} d={`M204 ${y}H356`} strokeWidth="4" />
      ))}
    </g>
  )
}
