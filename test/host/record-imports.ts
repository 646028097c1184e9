import { register } from 'node:module';
import { MessageChannel } from 'node:worker_threads';

/** Preloaded into a host: answers every SIGUSR2 with a line on standard error that lists the imported files. */
const { port1, port2 } = new MessageChannel();
const imported: string[] = [];
port1.on('message', (url: string) => imported.push(url));
port1.unref();
const HOOKS = `let port;
export function initialize(given) { port = given; }
export async function load(url, context, next) { port.postMessage(url); return next(url, context); }`;
register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, { data: port2, transferList: [port2] });
process.on('SIGUSR2', () => process.stderr.write(`IMPORTED ${JSON.stringify(imported)}\n`));
