import { OPTIONS } from '../../config/options/option-table.js';
import type { Mode } from '../../config/options/options.js';
import type { ProcessExit } from '../../host/process-exit.js';
import { scaffoldDevFolder } from '../../host/scaffold-dev-folder.js';
import type { Command } from '../command.js';
import type { CommandLine } from '../command-line.js';

const SERVER = {
  serverOptions: OPTIONS.map(({ flag }) => flag),
  notes: `The environment variable of an option stands in brackets. Two variables have no option:
  KEYHOST_CODE_CACHE                  folder for compiled code, or off; default: ~/.cache/keyhost
  UV_THREADPOOL_SIZE                  number of threads that sign with RSA; default: 4. With more cores,
                                      use one for each core`,
  startsServer: true,
} as const;

/** `keyhost start-dev`. */
export function startDevCommand(exit: ProcessExit): Command {
  return {
    ...SERVER,
    summary: 'Starts the server for development, on localhost without TLS',
    usage: '[options]',
    details: `In a folder without plugins.json and realms, it creates both, with the realm demo and its user alice. If another program uses a
default port, such as 8080, it takes the next free port, and prints it.`,
    examples: [
      'start-dev',
      'start-dev --http-port 8081 --grpc-port 9091 --management-port 9001',
      'start-dev --realms-dir ../my-realms',
    ],
    run: (line) => serveBy(line, 'start-dev', exit),
  };
}

/** `keyhost start`. */
export function startCommand(exit: ProcessExit): Command {
  return {
    ...SERVER,
    summary: 'Starts the server for production; requires --hostname and TLS',
    usage: '--hostname URL [options]',
    details: 'TLS comes from --https-port with a certificate, or from a reverse proxy: --proxy-headers.',
    examples: [
      'start --hostname https://id.example.com --https-port 443 --https-certificate-file tls.crt --https-certificate-key-file tls.key',
      'start --hostname https://id.example.com --proxy-headers xforwarded',
      'start --hostname https://id.example.com --proxy-headers forwarded --db postgres --db-url postgres://keyhost@db.example.com/keyhost',
    ],
    run: (line) => serveBy(line, 'start', exit),
  };
}

async function serveBy(line: CommandLine, mode: Mode, exit: ProcessExit): Promise<void> {
  const options = line.server(mode);
  const createdFiles = await scaffoldDevFolder(options);
  if (createdFiles.length > 0) process.stdout.write(`Created ${createdFiles.join(', ')}\n`);
  if (options.workers > 1) {
    const { serveByWorkers } = await import('../../host/worker-processes/serve-by-workers.js');
    await serveByWorkers(options, line.env, exit, [mode, ...line.serverArgv]);
  } else {
    const { serve } = await import('../../host/serve.js');
    await serve(options, line.env, exit);
  }
}
