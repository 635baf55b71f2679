import { serveCalls } from '../../api-server/search/threads/serve-calls.ts';

/** A thread that answers `echo`, keeps silent on `wait`, hangs on `block` until it is ended, and dies on others. */
const asleep = new Int32Array(new SharedArrayBuffer(4));

serveCalls({
  open: (mood: string) => {
    if (mood === 'broken') throw new Error('cannot be opened');
  },
  echo: (argument: unknown) => argument,
  wait: () => new Promise(() => {}),
  block: () => Atomics.wait(asleep, 0, 0),
  exit: () => process.exit(3),
  close: () => {},
  throw: () => {
    setImmediate(() => {
      throw new Error('out of luck');
    });
    return new Promise(() => {});
  },
});
