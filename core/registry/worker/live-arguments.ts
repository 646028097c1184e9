import { type Crossing, HostError, type Spi } from '@keyhost/spi';

type LiveFunction = (...args: readonly unknown[]) => unknown;

/**
 * The functions in a call's arguments that stay in the host, keyed by the position of the argument and the path in it.
 */
export type LiveArguments = ReadonlyMap<string, LiveFunction>;

/** The functions that the worker needs to create proxies of live arguments. */
export interface Bridge {
  readonly signal: AbortSignal;
  call(method: string, ...args: unknown[]): Promise<unknown>;
}

/** The method by which a worker calls a function that stays in the host. The function's name and arguments follow. */
export const CALL_LIVE = 'live';

/**
 * Splits the arguments of a call into plain data, which is sent, and functions, which stay here and are called
 * remotely.
 */
export function splitArguments(
  { crosses }: Spi,
  args: readonly unknown[],
): { readonly args: readonly unknown[]; readonly live: LiveArguments } {
  const live = new Map<string, LiveFunction>();
  const dataArguments = args.map((argument, index) => {
    const crossing = crosses[index];
    if (crossing === undefined || !isObject(argument)) return argument;
    for (const path of crossing.live ?? []) {
      const [holder, name] = findHolder(argument, path);
      const member = holder?.[name];
      if (typeof member === 'function')
        live.set(`${index} ${path}`, (...callArguments) => member.apply(holder, callArguments));
    }
    return copyData(argument, crossing);
  });
  return { args: dataArguments, live };
}

/** Restores the arguments of a call as a provider expects them. */
export function restoreArguments(
  { crosses }: Spi,
  args: readonly unknown[],
  { signal, call }: Bridge,
): readonly unknown[] {
  for (const [index, crossing] of crosses.entries()) {
    const argument = args[index];
    if (crossing === undefined || !isObject(argument)) continue;
    for (const path of crossing.live ?? []) {
      setAtPath(argument, path, (...given: unknown[]) => call(CALL_LIVE, `${index} ${path}`, ...given));
    }
    if (crossing.signal !== undefined) setAtPath(argument, crossing.signal, signal);
    for (const path of crossing.maps ?? []) {
      const [holder, name] = findHolder(argument, path);
      // A clone inherits the members of Object.prototype, such as `constructor`, but a map must only have its own keys.
      if (isObject(holder?.[name])) Object.setPrototypeOf(holder[name], null);
    }
  }
  return args;
}

/**
 * Calls a function that stays in the host.
 * @throws HostError `session_method_unknown`, and any error of the function
 */
export async function callLive(live: LiveArguments, name: string, args: readonly unknown[]): Promise<unknown> {
  const liveFunction = live.get(name);
  if (liveFunction === undefined) throw new HostError('session_method_unknown', `the call has no ${name}`);
  return liveFunction(...args);
}

type Holder = Record<string, unknown>;

/** Returns a new object with the members of an argument that are sent, or the argument itself if all of them are. */
function copyData(argument: Holder, { data }: Crossing): Holder {
  if (data === undefined) return argument;
  const copy: Holder = {};
  for (const path of data) {
    const [holder, name] = findHolder(argument, path);
    if (holder !== undefined) setAtPath(copy, path, holder[name]);
  }
  return copy;
}

function findHolder(argument: Holder, path: string): readonly [holder: Holder | undefined, name: string] {
  const names = path.split('.');
  const name = names.pop() ?? '';
  let holder: unknown = argument;
  for (const step of names) holder = isObject(holder) ? holder[step] : undefined;
  return [isObject(holder) ? holder : undefined, name];
}

function setAtPath(target: Holder, path: string, value: unknown): void {
  const names = path.split('.');
  const name = names.pop() ?? '';
  let holder = target;
  for (const step of names) {
    holder[step] ??= {};
    holder = holder[step] as Holder;
  }
  holder[name] = value;
}

function isObject(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}
