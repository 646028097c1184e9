import { type Crossing, HostError, type Spi } from '@keyhost/spi';

type Live = (...args: readonly unknown[]) => unknown;

/** The functions in a call's arguments, which stay in the host: by the place of the argument and the path in it. */
export type LiveArguments = ReadonlyMap<string, Live>;

/** What the worker's end makes stand-ins for live arguments with. */
export interface Bridge {
  readonly signal: AbortSignal;
  call(method: string, ...args: unknown[]): Promise<unknown>;
}

/** The method by which a worker calls a live argument; its own arguments come after the name. */
export const CALL_LIVE = 'live';

/** Splits the arguments of a call: into data, which crosses, and functions, which stay here to be called. */
export function argumentsOut(
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
export function argumentsInto(
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
      // A clone inherits what every object has, such as `constructor`, and a map is to have its own members alone.
      if (isObject(holder?.[name])) Object.setPrototypeOf(holder[name], null);
    }
  }
  return args;
}

/** @throws HostError `session_method_unknown`, and whatever the function throws */
export async function callLive(live: LiveArguments, name: string, args: readonly unknown[]): Promise<unknown> {
  const called = live.get(name);
  if (called === undefined) throw new HostError('session_method_unknown', `the call has no ${name}`);
  return called(...args);
}

type Holder = Record<string, unknown>;

/** The members of an argument that cross, as a new object; the argument itself where all of them do. */
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
