/** Why a message of the outbox is not tried again. */

/** The receiver will never accept it. */
export class RefusedForGood extends Error {}

/** Nobody is left to deliver it to: the message counts as cancelled. */
export class NoReceiver extends Error {}
