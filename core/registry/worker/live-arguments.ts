import { type Crossing, HostError, type Spi } from '@keyhost/spi';

type Live = (...args: readonly unknown[]) => unknown;

/** The functions in a call's arguments, which stay in the host: by the position of the argument and the path in it. */
export type LiveArguments = ReadonlyMap<string, Live>;

/** The worker's means to create proxies of live arguments. */
export interface Bridge {
  readonly signal: AbortSignal;
  call(method: string, ...args: unknown[]): Promise<unknown>;
}

/** The method by which a worker calls a live argument; the argument's own arguments follow its name. */
export const CALL_LIVE = 'live';

/** Splits the arguments of a call: into data, which is sent, and functions, which stay here and are called remotely. */
export function splitArguments(
  { crosses }: Spi,
  args: readonly unknown[],
): { readonly args: readonly unknown[]; readonly live: LiveArguments } {
  const live = new Map<string, Live>();
  const out = args.map((argument, index) => {
    const crossing = crosses[index];
    if (crossing === undefined || !isObject(argument)) return argument;
    for (const path of crossing.live ?? []) {
      const [holder, name] = holderOf(argument, path);
      const member = holder?.[name];
      if (typeof member === 'function') live.set(`${index} ${path}`, (...given) => member.apply(holder, given));
    }
    return plain(argument, crossing);
  });
  return { args: out, live };
}

/** The arguments of a call as a provider expects them. */
export function restoreArguments(
  { crosses }: Spi,
  args: readonly unknown[],
  { signal, call }: Bridge,
): readonly unknown[] {
  for (const [index, crossing] of crosses.entries()) {
    const argument = args[index];
    if (crossing === undefined || !isObject(argument)) continue;
    for (const path of crossing.live ?? []) {
      put(argument, path, (...given: unknown[]) => call(CALL_LIVE, `${index} ${path}`, ...given));
    }
    if (crossing.signal !== undefined) put(argument, crossing.signal, signal);
    for (const path of crossing.maps ?? []) {
      const [holder, name] = holderOf(argument, path);
      // A clone inherits the members of Object.prototype, such as `constructor`; a map must only have its own.
      if (isObject(holder?.[name])) Object.setPrototypeOf(holder[name], null);
    }
  }
  return args;
}

/** @throws HostError `session_method_unknown`, and any error of the function */
export async function callLive(live: LiveArguments, name: string, args: readonly unknown[]): Promise<unknown> {
  const called = live.get(name);
  if (called === undefined) throw new HostError('session_method_unknown', `the call has no ${name}`);
  return called(...args);
}

type Holder = Record<string, unknown>;

/** Returns a new object with the members of an argument that are sent, or the argument itself if all are. */
function plain(argument: Holder, { data }: Crossing): Holder {
  if (data === undefined) return argument;
  const copy: Holder = {};
  for (const path of data) {
    const [holder, name] = holderOf(argument, path);
    if (holder !== undefined) put(copy, path, holder[name]);
  }
  return copy;
}

function holderOf(argument: Holder, path: string): readonly [holder: Holder | undefined, name: string] {
  const names = path.split('.');
  const name = names.pop() ?? '';
  let holder: unknown = argument;
  for (const part of names) holder = isObject(holder) ? holder[part] : undefined;
  return [isObject(holder) ? holder : undefined, name];
}

function put(target: Holder, path: string, value: unknown): void {
  const names = path.split('.');
  const name = names.pop() ?? '';
  let holder = target;
  for (const part of names) {
    holder[part] ??= {};
    holder = holder[part] as Holder;
  }
  holder[name] = value;
}

function isObject(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}
