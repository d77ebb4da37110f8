/** Something that whoever runs the command can put right: its message says what to do. */
export class SetupError extends Error {}
