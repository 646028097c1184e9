import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from './cluster.js';
import { failed, Traffic, told } from './traffic.js';

const HELP = `npm run faults:rolling-restart -- [--nodes 3] [--rate 500] [--rounds 2]

  Nodes on one PostgreSQL behind HAProxy are restarted one after the other, while mixed requests come at a fixed rate.
  Tells what failed. Exit code: 0 nothing did, 1 something did.
`;

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '3' },
    rate: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const cluster = await startCluster({ nodes: Number(values.nodes) });
const traffic = new Traffic(cluster.url);
let isOver = false;
const restarts = (async () => {
  await sleep(3000);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const node of cluster.nodes) {
      const code = await node.stop();
      if (code !== 0) process.stdout.write(`${node.name} ended with ${code}\n`);
      await node.start();
      process.stderr.write(`${node.name} is back\n`);
      // Time for HAProxy to notice.
      await sleep(1000);
    }
  }
  await sleep(2000);
  isOver = true;
})();
try {
  const all = traffic.run(Number(values.rate), () => isOver);
  await restarts;
  await all;
  const sent = [...traffic.outcomes.values()].reduce((sum, one) => sum + one.sent, 0);
  process.stdout.write(
    `${values.nodes} nodes, ${values.rate} requests a second, ${Number(values.rounds) * cluster.nodes.length} restarts: ` +
      `${sent} requests, ${failed(traffic.outcomes)} failed\n${told(traffic.outcomes)}\n`,
  );
  process.exitCode = failed(traffic.outcomes) === 0 ? 0 : 1;
} finally {
  traffic.close();
  await cluster.close();
}
process.exit();
