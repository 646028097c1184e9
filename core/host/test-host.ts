import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GrpcService, type GrpcServiceDeclaration } from '@keyhost/spi';
import type { HostModule, HostSetup, OpenHost, SentMail } from '@keyhost/spi/testing';
import { parseOptions } from '../config/options/options.js';
import { Clock, Log } from '../di/host-tokens.js';
import { replacing } from '../di/module.js';
import { OnMailWritten } from '../mail/module.js';
import { MailQueue } from '../mail/plugin-mails/mail-queue.js';
import { PluginBackgroundWork } from '../registry/background/background.js';
import { EventDelivery } from '../registry/event-delivery/event-delivery.js';
import { Events } from '../registry/events/events.js';
import { ImportedPlugins } from '../registry/module.js';
import { Schedules } from '../registry/schedules/schedules.js';
import { Store } from '../store/module.js';
import { openMemoryStore } from '../store/sqlite/open-store.js';
import { createHost } from './host.js';

/** Use free ports, and watch no files. */
const TEST_OPTIONS = ['--http-port=0', '--grpc-port=0', '--management-port=0', '--watch-plugins=false'];

/**
 * Opens the host of `@keyhost/spi/testing`. It is like `keyhost start-dev`, but its store is in memory and its folders
 * are temporary.
 */
export async function openTestHost(setup: HostSetup): Promise<OpenHost> {
  const folder = await mkdtemp(join(tmpdir(), 'keyhost-'));
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  try {
    const argv = [...(await writeFiles(folder, setup)), ...TEST_OPTIONS, ...setup.argv];
    const options = parseOptions(argv, {}, 'start-dev');
    const { clock, logger } = setup;
    const mails: SentMail[] = [];
    const host = await createHost(options, {
      replace: [
        replacing(Clock, clock),
        replacing(Log, logger),
        replacing(OnMailWritten, ({ realm, mail }) => void mails.push({ realm, ...mail })),
        replacing(Store, await openMemoryStore({ clock })),
        replacing(
          ImportedPlugins,
          new Map(setup.plugins.map(({ module, plugin, directory }) => [module, { plugin, directory }])),
        ),
      ],
    });
    const { grpcAddress } = host;
    const services = setup.plugins.flatMap(({ plugin, directory }) =>
      plugin.providers
        .filter(({ spi }) => spi.id === GrpcService.id)
        // The SPI guarantees the type of the declaration.
        .map(({ declaration }) => ({ declaration: declaration as unknown as GrpcServiceDeclaration, directory })),
    );
    const client =
      grpcAddress === undefined
        ? undefined
        : new (await import('../grpc/test-client.js')).TestClient(grpcAddress, services, options.protoDir);
    return {
      url: host.url,
      mails,
      bootTree: host.bootTree,
      settle: () => host.use(Events).flush(),
      async settleBackground() {
        await host.use(Events).flush();
        await host.use(PluginBackgroundWork).settled();
        await host.use(Schedules).settled();
        await host.use(MailQueue).whenIdle();
        await host.use(EventDelivery).settled();
        await host.use(Events).flush();
      },
      call: async (request) => {
        if (client === undefined) throw new Error('no plugin under test has a gRPC service');
        return client.call(request);
      },
      async close() {
        client?.close();
        await host.close().finally(removeFolder);
      },
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

/**
 * Writes the realm files and plugins.json.
 * @returns the options that name them
 */
async function writeFiles(folder: string, { plugins, realms }: HostSetup): Promise<string[]> {
  const realmsDir = join(folder, 'realms');
  const pluginsFile = join(folder, 'plugins.json');
  await mkdir(realmsDir);
  for (const realm of realms) {
    await writeFile(join(realmsDir, `${encodeURIComponent(String(realm.realm))}.json`), JSON.stringify(realm, null, 2));
  }
  const entries = plugins.map(({ module, config, grants, replaces }) => ({ module, config, grants, replaces }));
  await writeFile(pluginsFile, JSON.stringify({ plugins: entries }, null, 2));
  return [
    '--realms-dir',
    realmsDir,
    '--plugins-file',
    pluginsFile,
    '--providers-dir',
    join(folder, 'providers'),
    '--mail-dir',
    join(folder, 'mail'),
  ];
}

({ openTestHost }) satisfies HostModule;
