import { BootError } from '../../config/boot-error.js';
import { defined } from '../../model/defined.js';
import type { PluginUpdates } from '../updates/plugin-updates.js';
import type { PluginsStatus, UpdateResult } from '../updates/update-report.js';
import { type Node, type NodeList, pluginDifferences } from './node-list.js';
import type { NodeAnswer, NodeMessages, NodeRequest } from './node-messages.js';

/** The result of an update on one node. */
export interface NodeResult {
  readonly node: string;
  /** `gone`: the node stopped before it answered. Its next start loads the current files. */
  readonly outcome: UpdateResult['outcome'] | 'gone';
  readonly changes: readonly string[];
}

export interface RollingUpdateResult extends UpdateResult {
  /** In order, this node first. */
  readonly nodes: readonly NodeResult[];
}

/** The nodes that use this store, and their differences as sentences. */
export interface NodesStatus {
  readonly nodes: readonly Node[];
  readonly differences: readonly string[];
}

/**
 * Updates plugins on all nodes, one after another. This node is the first, so that its checks stop a broken update
 * before it reaches other nodes. If a node refuses, the nodes before it go back to their previous versions.
 */
export class RollingUpdates {
  readonly #updates: PluginUpdates;
  readonly #nodes: NodeList;
  readonly #mail: NodeMessages;

  constructor(parts: { updates: PluginUpdates; nodes: NodeList; mail: NodeMessages }) {
    this.#updates = parts.updates;
    this.#nodes = parts.nodes;
    this.#mail = parts.mail;
  }

  /** Starts to execute the requests of other nodes. */
  open(): void {
    this.#mail.open((ask) => this.#execute(ask));
  }

  /** As `PluginUpdates.look`, with the nodes and their differences. */
  async look(): Promise<PluginsStatus & NodesStatus> {
    await this.#nodes.publish();
    const nodes = this.#nodes.alive();
    return { ...(await this.#updates.look()), nodes, differences: pluginDifferences(nodes) };
  }

  /**
   * As `PluginUpdates.reload`, on every node. @throws BootError `plugin_nodes` if a node refused; then nothing was
   * changed
   */
  reload(module?: string): Promise<RollingUpdateResult> {
    return this.#runOnAllNodes({ action: 'reload', ...defined({ module }) });
  }

  /** As `PluginUpdates.rollback`, on every node. @throws BootError as `reload` does */
  rollback(module?: string): Promise<RollingUpdateResult> {
    return this.#runOnAllNodes({ action: 'rollback', ...defined({ module }) });
  }

  /**
   * As `PluginUpdates.restart`, on every node. @throws BootError `plugin_nodes` if a node refused; the nodes before it
   * have restarted
   */
  restart(module: string): Promise<RollingUpdateResult> {
    return this.#runOnAllNodes({ action: 'restart', module });
  }

  async #runOnAllNodes(ask: NodeRequest): Promise<RollingUpdateResult> {
    await this.#nodes.publish();
    const [self, ...others] = selfFirst(this.#nodes.alive(), this.#nodes.id);
    const first = await runHere(this.#updates, ask);
    const done = [{ node: self, result: first }];
    const nodes: NodeResult[] = [resultOf(self, first)];
    for (const node of others) {
      const answer = await this.#mail.ask(node.id, ask);
      if (answer === 'gone') {
        nodes.push({ node: node.name, outcome: 'gone', changes: [] });
        continue;
      }
      // The refusing node must go back, too: it may have replaced other plugins.
      if ('result' in answer) done.push({ node, result: answer.result });
      const refusal = refusalOf(answer, first);
      if (refusal !== undefined) throw await this.#undo(ask, done, node, refusal);
      if ('result' in answer) nodes.push(resultOf(node, answer.result));
    }
    await this.#nodes.publish();
    return { ...first, nodes };
  }

  /** Undoes the update on the previous nodes, the last first. @returns the error to throw */
  async #undo(
    { action, module }: NodeRequest,
    done: readonly { readonly node: Node; readonly result: UpdateResult }[],
    refused: Node,
    refusal: string,
  ): Promise<BootError> {
    const sentences: string[] = [];
    // A restarted worker runs the same version as before: there is nothing to undo.
    if (action === 'restart') return refusalError(refused, refusal, module, []);
    const back: NodeRequest = { action: action === 'reload' ? 'rollback' : 'reload', ...defined({ module }) };
    for (const { node, result } of [...done].reverse()) {
      if (result.outcome === 'unchanged') continue;
      const answer = node.id === this.#nodes.id ? await this.#execute(back) : await this.#mail.ask(node.id, back);
      const isBack = answer !== 'gone' && 'result' in answer;
      sentences.push(
        isBack
          ? `${node.name} has its previous plugins again`
          : `${node.name} could not return to its previous plugins: ${reportOf(answer)}`,
      );
    }
    await this.#nodes.publish();
    return refusalError(refused, refusal, module, sentences);
  }

  async #execute(ask: NodeRequest): Promise<NodeAnswer> {
    try {
      const result = await runHere(this.#updates, ask);
      void this.#nodes.publish();
      return { result };
    } catch (error) {
      const report =
        error instanceof BootError ? error.report() : error instanceof Error ? error.message : String(error);
      return { refusal: { code: error instanceof BootError ? error.code : 'unknown_error', report } };
    }
  }
}

function runHere(updates: PluginUpdates, { action, module }: NodeRequest): Promise<UpdateResult> {
  return action === 'restart' ? updates.restart(module ?? '') : updates[action](module);
}

/** @param undone sentences about the nodes that went back */
function refusalError(
  { name }: Node,
  refusal: string,
  module: string | undefined,
  undone: readonly string[],
): BootError {
  return new BootError('plugin_nodes', `the node ${name} refused the update: ${refusal}`, {
    plugin: module,
    hint: [...undone, `copy the files of the other nodes to ${name}, and try again`].join('; '),
  });
}

/** Returns this node before the others. */
function selfFirst(nodes: readonly Node[], self: string): [Node, ...Node[]] {
  const own = nodes.filter(({ id }) => id === self);
  const others = nodes.filter(({ id }) => id !== self);
  return [...own, ...others] as [Node, ...Node[]];
}

function resultOf({ name }: Node, { outcome, changes }: UpdateResult): NodeResult {
  return { node: name, outcome, changes };
}

/** An optional plugin that fails on this node only is a refusal, too: otherwise nodes would differ. */
function refusalOf(answer: NodeAnswer, first: UpdateResult): string | undefined {
  if ('refusal' in answer) return answer.refusal.report;
  const known = new Set(first.failures.map(({ module }) => module));
  return answer.result.failures.find(({ module }) => !known.has(module))?.report;
}

function reportOf(answer: NodeAnswer | 'gone'): string {
  if (answer === 'gone') return 'it stopped, and loads the new files when it starts';
  return 'refusal' in answer ? answer.refusal.report : '';
}
