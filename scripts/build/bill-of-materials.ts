import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { COMPILED_IN } from './compiled-in.ts';
import { bundledPackages, type Notice } from './third-party-notices.ts';

/** The name of the list in the site and in the package. */
export const BILL_OF_MATERIALS = 'sbom.cdx.json';

/**
 * Returns a software bill of materials in the form of CycloneDX 1.6: the packages whose code was bundled, from the same
 * list as the licence notices. It has neither a time nor a random number, so equal builds have equal lists.
 * @param whole What contains the packages.
 * @param found The bundled packages; may contain duplicates.
 */
export function billOfMaterials(whole: 'package' | 'site', found: readonly Notice[]): string {
  const own = ownPackage();
  const packages = bundledPackages(found);
  const root = `tabserve-${whole}@${own.version}`;
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: whole === 'site' ? 'application' : 'library',
        'bom-ref': root,
        name: own.name,
        version: own.version,
        licenses: [{ expression: own.license }],
      },
    },
    components: packages.map((notice) => ({
      type: 'library',
      'bom-ref': reference(notice),
      name: notice.name,
      version: notice.version,
      ...licences(notice),
      purl: reference(notice),
      ...(Object.hasOwn(COMPILED_IN, notice.name) && {
        components: COMPILED_IN[notice.name]!.map((part) => ({
          type: 'library',
          'bom-ref': `${reference(notice)}#${part.name.replaceAll(' ', '-')}`,
          name: part.name,
          ...licences(part),
          ...(part.copyright.length > 0 && { copyright: part.copyright.join('\n') }),
        })),
      }),
    })),
    dependencies: [{ ref: root, dependsOn: packages.map(reference) }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** The address of a package as a package URL: `pkg:npm/%40scope/name@version`. */
function reference({ name, version }: Notice): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function licences({ identifier }: Pick<Notice, 'identifier'>) {
  return identifier === undefined ? {} : { licenses: [{ expression: identifier }] };
}

function ownPackage(): { readonly name: string; readonly version: string; readonly license: string } {
  return JSON.parse(readFileSync(join(PROJECT_FOLDER, 'package.json'), 'utf8'));
}
