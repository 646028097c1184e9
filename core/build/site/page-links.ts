import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { HOST_DIR } from '../../config/host-folder.js';
import type { Site, SitePage } from './site-pages.js';

const REPOSITORY = 'https://github.com/keyhost/keyhost';
/** The beginning of links to files of the repository. Pages that are also shown on npm use such links. */
const MAIN_BRANCH =
  /^https:\/\/(?:github\.com\/keyhost\/keyhost\/(?:blob|tree)|raw\.githubusercontent\.com\/keyhost\/keyhost)\/main\//;
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;

/** Converts links between pages of the repository to links of the site. */
export class PageLinks {
  readonly #site: Site;
  readonly #version: string;
  /** The paths of all shown pictures in the repository. */
  readonly pictures = new Set<string>();

  /** @param version the version in links to files of the repository */
  constructor(site: Site, version: string) {
    this.#site = site;
    this.#version = version;
  }

  /**
   * @param ending the file name ending of pages of the site
   * @throws Error for a link without a target
   */
  link(from: SitePage, href: string, ending = '.html'): string {
    const [before = '', section] = href.split('#');
    const hash = section === undefined ? '' : `#${section}`;
    if (before === '') return hash;
    if (ABSOLUTE.test(before) && !MAIN_BRANCH.test(before)) return href;
    const target = repositoryPath(from, before);
    const page = this.#site.bySource.get(target) ?? this.#site.bySource.get(posix.join(target, 'README.md'));
    if (page !== undefined) return `${relativePath(from.path, page.path)}${ending}${hash}`;
    const file = join(HOST_DIR, target);
    if (!existsSync(file)) throw new Error(`${from.source} links to ${href}, which does not exist`);
    const kind = statSync(file).isDirectory() ? 'tree' : 'blob';
    return `${REPOSITORY}/${kind}/v${this.#version}/${target}${hash}`;
  }

  /**
   * Returns the link to a picture on the site, to which it is copied.
   * @throws Error if it does not exist
   */
  picture(from: SitePage, src: string): string {
    if (ABSOLUTE.test(src) && !MAIN_BRANCH.test(src)) throw new Error(`${from.source} shows ${src} of another site`);
    const target = repositoryPath(from, src);
    if (!existsSync(join(HOST_DIR, target))) throw new Error(`${from.source} shows ${src}, which does not exist`);
    this.pictures.add(target);
    return relativePath(from.path, picturePath(target));
  }

  /** Returns the URL of the page in the repository. */
  source({ source }: SitePage): string {
    return `${REPOSITORY}/blob/v${this.#version}/${source}`;
  }
}

/** Returns the path on the site to which a picture is copied. */
export function picturePath(source: string): string {
  return posix.join('pictures', source);
}

/** Returns the relative path from a page of the site to one of its files. */
export function relativePath(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}

function repositoryPath(from: SitePage, href: string): string {
  const path = decodeURIComponent(href).replace(/\/$/, '');
  return MAIN_BRANCH.test(path) ? path.replace(MAIN_BRANCH, '') : posix.join(posix.dirname(from.source), path);
}
