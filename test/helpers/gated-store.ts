import type { Store } from '../../core/store/store.js';
import { gate } from './gate.js';

/** A call of the store whose answer is held back. */
export interface HeldCall {
  /** Resolves once the call was made. */
  readonly held: Promise<void>;
  /** Releases the answer to its caller. */
  letGo(): void;
}

export interface GatedStore {
  readonly store: Store;
  /** Holds the answer to the nth call from now on, counted from 1. */
  hold(nth: number): HeldCall;
}

/** A store whose answers can be held back, so that a test can act while a request is at a certain point. */
export function gatedStore(inner: Store): GatedStore {
  let before = (): Promise<void> | undefined => undefined;
  const gated = <T extends object>(target: T, isStore: boolean): T =>
    new Proxy(target, {
      get(object, name) {
        const member = Reflect.get(object, name) as unknown;
        if (typeof member === 'object' && member !== null && isStore) return gated(member, false);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          const answer = Reflect.apply(member, object, args) as unknown;
          // The store's own maintenance runs independently of requests.
          const isAsked = answer instanceof Promise && name !== 'indexUsers' && name !== 'sweep';
          const held = isAsked ? before() : undefined;
          return held === undefined ? answer : held.then(() => answer);
        };
      },
    });
  return {
    store: gated(inner, true),
    hold(nth) {
      let calls = 0;
      const call = gate();
      const answer = gate();
      before = () => {
        calls += 1;
        if (calls !== nth) return undefined;
        call.open();
        return answer.opened;
      };
      return { held: call.opened, letGo: answer.open };
    },
  };
}
