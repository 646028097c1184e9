import { BootError } from '../../config/boot-error.js';
import { defined } from '../../model/defined.js';
import type { PluginUpdates } from '../updates/plugin-updates.js';
import type { PluginsStatus, UpdateResult } from '../updates/update-report.js';
import { differences, type Node, type NodeList } from './node-list.js';
import type { Ask, NodeAnswer, NodeMail } from './node-mail.js';

/** What an update did on one node. */
export interface NodeResult {
  readonly node: string;
  /** `gone`: the node ended before it had answered. Its next start loads what its files say. */
  readonly outcome: UpdateResult['outcome'] | 'gone';
  readonly changes: readonly string[];
}

export interface RolledResult extends UpdateResult {
  /** In order, this node first. */
  readonly nodes: readonly NodeResult[];
}

/** Who serves from this store, and what differs between them, as sentences. */
export interface NodesStatus {
  readonly nodes: readonly Node[];
  readonly differences: readonly string[];
}

/**
 * Updates of plugins over all nodes, one after the other: this one first, whose checks stop what is broken before anybody else
 * hears of it. When a node refuses, those before it go back, and all serve what they served.
 */
export class RollingUpdates {
  readonly #updates: PluginUpdates;
  readonly #nodes: NodeList;
  readonly #mail: NodeMail;

  constructor(parts: { updates: PluginUpdates; nodes: NodeList; mail: NodeMail }) {
    this.#updates = parts.updates;
    this.#nodes = parts.nodes;
    this.#mail = parts.mail;
  }

  /** Takes part: does what other nodes ask. */
  open(): void {
    this.#mail.open((ask) => this.#carryOut(ask));
  }

  /** As `PluginUpdates.look`, with the nodes and what differs between them. */
  async look(): Promise<PluginsStatus & NodesStatus> {
    await this.#nodes.announce();
    const nodes = this.#nodes.living();
    return { ...(await this.#updates.look()), nodes, differences: differences(nodes) };
  }

  /** As `PluginUpdates.reload`, on every node. @throws BootError `plugin_nodes`: a node refused, and nothing was changed */
  reload(module?: string): Promise<RolledResult> {
    return this.#roll({ action: 'reload', ...defined({ module }) });
  }

  /** As `PluginUpdates.rollback`, on every node. @throws BootError as `reload` does */
  rollback(module?: string): Promise<RolledResult> {
    return this.#roll({ action: 'rollback', ...defined({ module }) });
  }

  /** As `PluginUpdates.restart`, on every node. @throws BootError `plugin_nodes`: a node refused; those before it have done it */
  restart(module: string): Promise<RolledResult> {
    return this.#roll({ action: 'restart', module });
  }

  async #roll(ask: Ask): Promise<RolledResult> {
    await this.#nodes.announce();
    const [self, ...others] = inOrder(this.#nodes.living(), this.#nodes.id);
    const first = await doHere(this.#updates, ask);
    const done = [{ node: self, result: first }];
    const nodes: NodeResult[] = [resultOf(self, first)];
    for (const node of others) {
      const answer = await this.#mail.ask(node.id, ask);
      if (answer === 'gone') {
        nodes.push({ node: node.name, outcome: 'gone', changes: [] });
        continue;
      }
      // It too goes back, when it refuses one plugin and has replaced others.
      if ('result' in answer) done.push({ node, result: answer.result });
      const refusal = refusalOf(answer, first);
      if (refusal !== undefined) throw await this.#undo(ask, done, node, refusal);
      if ('result' in answer) nodes.push(resultOf(node, answer.result));
    }
    await this.#nodes.announce();
    return { ...first, nodes };
  }

  /** Takes back what was done on the nodes before, the last first. @returns what to throw */
  async #undo(
    { action, module }: Ask,
    done: readonly { readonly node: Node; readonly result: UpdateResult }[],
    refused: Node,
    refusal: string,
  ): Promise<BootError> {
    const sentences: string[] = [];
    // A worker that was started anew is what it was.
    if (action === 'restart') return refusedBy(refused, refusal, module, []);
    const back: Ask = { action: action === 'reload' ? 'rollback' : 'reload', ...defined({ module }) };
    for (const { node, result } of [...done].reverse()) {
      if (result.outcome === 'unchanged') continue;
      const answer = node.id === this.#nodes.id ? await this.#carryOut(back) : await this.#mail.ask(node.id, back);
      const isBack = answer !== 'gone' && 'result' in answer;
      sentences.push(
        isBack
          ? `${node.name} has its previous plugins again`
          : `${node.name} could not return to its previous plugins: ${reportOf(answer)}`,
      );
    }
    await this.#nodes.announce();
    return refusedBy(refused, refusal, module, sentences);
  }

  async #carryOut(ask: Ask): Promise<NodeAnswer> {
    try {
      const result = await doHere(this.#updates, ask);
      void this.#nodes.announce();
      return { result };
    } catch (error) {
      const report =
        error instanceof BootError ? error.report() : error instanceof Error ? error.message : String(error);
      return { refusal: { code: error instanceof BootError ? error.code : 'unknown_error', report } };
    }
  }
}

function doHere(updates: PluginUpdates, { action, module }: Ask): Promise<UpdateResult> {
  return action === 'restart' ? updates.restart(module ?? '') : updates[action](module);
}

/** @param undone what became of the nodes that went back, as sentences */
function refusedBy({ name }: Node, refusal: string, module: string | undefined, undone: readonly string[]): BootError {
  return new BootError('plugin_nodes', `the node ${name} refused the update: ${refusal}`, {
    plugin: module,
    hint: [...undone, `copy the files of the other nodes to ${name}, and try again`].join('; '),
  });
}

/** This node before the others. */
function inOrder(nodes: readonly Node[], self: string): [Node, ...Node[]] {
  const [own, others] = [nodes.filter(({ id }) => id === self), nodes.filter(({ id }) => id !== self)];
  return [...own, ...others] as [Node, ...Node[]];
}

function resultOf({ name }: Node, { outcome, changes }: UpdateResult): NodeResult {
  return { node: name, outcome, changes };
}

/** A plugin that is not required and fails there alone is a refusal too: else nodes would differ. */
function refusalOf(answer: NodeAnswer, first: UpdateResult): string | undefined {
  if ('refusal' in answer) return answer.refusal.report;
  const known = new Set(first.failures.map(({ module }) => module));
  return answer.result.failures.find(({ module }) => !known.has(module))?.report;
}

function reportOf(answer: NodeAnswer | 'gone'): string {
  if (answer === 'gone') return 'it stopped, and loads the new files when it starts';
  return 'refusal' in answer ? answer.refusal.report : '';
}
