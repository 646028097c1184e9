import type { Change, PastUpdate } from '../../api/plugins.ts';

const en = {
  lead: 'What this host has loaded from its folder of providers. Realms switch the providers that plugins bring.',
  empty:
    'No plugin is loaded. Put a package into the folder of providers, name it in plugins.json, and load what changed.',
  caption: 'Plugins',
  plugin: 'Plugin',
  version: 'Version',
  runs: 'Runs',
  inProcess: 'in the host',
  inWorker: 'in a worker',
  calls: 'Calls',
  failed: 'Failed',
  state: 'State',
  states: { running: 'Running', down: 'Down', 'left out': 'Left out' },
  stale: 'Newest files refused',
  waiting: (version: string) => `${version} in the folder`,
  generation: 'Generation',
  since: 'Since',
  draining: 'Still draining',
  drainingOf: (generation: number, calls: string) => `generation ${generation}: ${calls} calls`,
  nothingChanged: 'The last update changed nothing',

  buttons: { reload: 'Load what changed', rollback: 'Take the last update back', restart: 'Restart the worker' },
  questions: {
    reload: 'Load what changed in the folder?',
    rollback: 'Take the last update back?',
    restart: 'Start a fresh worker?',
  },
  means: {
    reload:
      'On every node, one after the other. Calls that run end in the old version; new ones meet the new one. Where one node refuses, nothing changes.',
    rollback: 'On every node, one after the other. What ran before the last update runs again.',
    restart: 'On every node, one after the other. The same version runs anew; calls that run end in the old worker.',
  } satisfies Record<Change, string>,
  of: (module: string) => `It is about ${module} alone.`,
  all: 'It is about every plugin of the host.',
  done: (generation: number) => `Done: generation ${generation} serves`,
  unchanged: 'Nothing was there to change',
  unchangedLead: 'What runs is what lies in the folder.',
  refused: 'Nothing was changed: everything runs as before',
  stayed: (module: string) => `${module} stays as it was`,
  gone: (node: string) => `${node} ended before it had answered; its next start loads what its files say.`,

  history: 'Past updates',
  historyLead: 'Of the node that answers, since its start; the latest first, fifty at most.',
  noHistory: 'Nothing was updated since the start.',
  when: 'When',
  what: 'What',
  outcome: 'Outcome',
  triggers: {
    reload: 'Load',
    rollback: 'Take back',
    restart: 'Restart',
    'changed files': 'Changed files',
  } satisfies Record<PastUpdate['trigger'], string>,
  outcomes: { replaced: 'Done', refused: 'Refused' },
  why: 'Why',

  boot: 'Start of the node',
  bootLead: 'What the start of the node that answers made, and how long each took',
  milliseconds: (count: string) => `${count} ms`,

  nodes: 'Nodes',
  node: 'Node',
  differences: 'The nodes differ',
};

const de: typeof en = {
  lead: 'Was dieser Host aus seinem Ordner der Provider geladen hat. Realms schalten die Provider, die Plugins mitbringen.',
  empty:
    'Kein Plugin ist geladen. Lege ein Paket in den Ordner der Provider, nenne es in plugins.json und lade, was sich geändert hat.',
  caption: 'Plugins',
  plugin: 'Plugin',
  version: 'Version',
  runs: 'Läuft',
  inProcess: 'im Host',
  inWorker: 'in einem Worker',
  calls: 'Aufrufe',
  failed: 'Gescheitert',
  state: 'Zustand',
  states: { running: 'Läuft', down: 'Ausgefallen', 'left out': 'Ausgelassen' },
  stale: 'Neueste Dateien abgelehnt',
  waiting: (version) => `${version} im Ordner`,
  generation: 'Generation',
  since: 'Seit',
  draining: 'Läuft noch aus',
  drainingOf: (generation, calls) => `Generation ${generation}: ${calls} Aufrufe`,
  nothingChanged: 'Das letzte Update hat nichts geändert',

  buttons: { reload: 'Geändertes laden', rollback: 'Letztes Update zurücknehmen', restart: 'Worker neu starten' },
  questions: {
    reload: 'Laden, was sich im Ordner geändert hat?',
    rollback: 'Das letzte Update zurücknehmen?',
    restart: 'Einen frischen Worker starten?',
  },
  means: {
    reload:
      'Auf jedem Knoten, einem nach dem anderen. Laufende Aufrufe enden in der alten Version, neue treffen die neue. Lehnt ein Knoten ab, ändert sich nichts.',
    rollback: 'Auf jedem Knoten, einem nach dem anderen. Was vor dem letzten Update lief, läuft wieder.',
    restart:
      'Auf jedem Knoten, einem nach dem anderen. Dieselbe Version läuft von vorn; laufende Aufrufe enden im alten Worker.',
  },
  of: (module) => `Es geht um ${module} allein.`,
  all: 'Es geht um jedes Plugin des Hosts.',
  done: (generation) => `Getan: Generation ${generation} bedient`,
  unchanged: 'Es gab nichts zu ändern',
  unchangedLead: 'Es läuft, was im Ordner liegt.',
  refused: 'Nichts wurde geändert: Alles läuft wie zuvor',
  stayed: (module) => `${module} bleibt, wie es war`,
  gone: (node) => `${node} endete, bevor er geantwortet hatte; sein nächster Start lädt, was seine Dateien sagen.`,

  history: 'Vergangene Updates',
  historyLead: 'Des Knotens, der antwortet, seit seinem Start; das letzte zuerst, höchstens fünfzig.',
  noHistory: 'Seit dem Start wurde nichts aktualisiert.',
  when: 'Wann',
  what: 'Was',
  outcome: 'Ausgang',
  triggers: { reload: 'Laden', rollback: 'Zurücknehmen', restart: 'Neustart', 'changed files': 'Geänderte Dateien' },
  outcomes: { replaced: 'Getan', refused: 'Abgelehnt' },
  why: 'Warum',

  boot: 'Start des Knotens',
  bootLead: 'Was der Start des Knotens, der antwortet, gemacht hat, und wie lange es jeweils dauerte',
  milliseconds: (count) => `${count} ms`,

  nodes: 'Knoten',
  node: 'Knoten',
  differences: 'Die Knoten unterscheiden sich',
};

export const texts = { en, de };
