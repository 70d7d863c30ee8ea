import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { billOfMaterials } from '../../../scripts/build/bill-of-materials.ts';
import { noticesText } from '../../../scripts/build/third-party-notices.ts';

const BUNDLED = [
  { name: 'lit', version: '3.3.3', identifier: 'BSD-3-Clause' },
  { name: '@mlc-ai/web-llm', version: '0.2.86', identifier: 'Apache-2.0' },
  { name: 'without-licence', version: '1.0.0' },
  { name: 'lit', version: '3.3.3', identifier: 'BSD-3-Clause' },
];

/** The part of the schema of CycloneDX 1.6 that concerns the fields in use. */
const COMPONENT = {
  type: 'object',
  required: ['type', 'name'],
  additionalProperties: false,
  properties: {
    type: { enum: ['application', 'library'] },
    'bom-ref': { type: 'string', minLength: 1 },
    name: { type: 'string', minLength: 1 },
    version: { type: 'string', minLength: 1 },
    licenses: {
      type: 'array',
      minItems: 1,
      maxItems: 1,
      items: {
        type: 'object',
        required: ['expression'],
        additionalProperties: false,
        properties: { expression: { type: 'string', minLength: 1 } },
      },
    },
    copyright: { type: 'string', minLength: 1 },
    purl: { type: 'string', pattern: String.raw`^pkg:npm/(%40[\w.-]+/)?[\w.-]+@[\w.+-]+$` },
    components: { type: 'array', uniqueItems: true, items: { $ref: '#/$defs/component' } },
  },
};
const SCHEMA = {
  $defs: { component: COMPONENT },
  type: 'object',
  required: ['bomFormat', 'specVersion', 'version', 'metadata', 'components', 'dependencies'],
  additionalProperties: false,
  properties: {
    $schema: { const: 'http://cyclonedx.org/schema/bom-1.6.schema.json' },
    bomFormat: { const: 'CycloneDX' },
    specVersion: { const: '1.6' },
    version: { type: 'integer', minimum: 1 },
    metadata: {
      type: 'object',
      required: ['component'],
      additionalProperties: false,
      properties: { component: { $ref: '#/$defs/component' } },
    },
    components: { type: 'array', uniqueItems: true, items: { $ref: '#/$defs/component' } },
    dependencies: {
      type: 'array',
      items: {
        type: 'object',
        required: ['ref'],
        additionalProperties: false,
        properties: { ref: { type: 'string' }, dependsOn: { type: 'array', uniqueItems: true } },
      },
    },
  },
};

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version?: string;
  readonly licenses?: readonly unknown[];
  readonly components?: readonly Component[];
}

test.each(['site', 'package'] as const)('the bill of materials of the %s has the fields of CycloneDX 1.6', (whole) => {
  const bill = JSON.parse(billOfMaterials(whole, BUNDLED));
  const ajv = new Ajv({ allErrors: true });
  ajv.validate(SCHEMA, bill);
  expect(ajv.errors).toBeNull();

  const components: readonly Component[] = bill.components;
  const references = [bill.metadata.component, ...components, ...components.flatMap((one) => one.components ?? [])].map(
    (component: Component) => component['bom-ref'],
  );
  expect(new Set(references).size).toBe(references.length);
  expect(bill.dependencies).toEqual([{ ref: references[0], dependsOn: components.map((one) => one['bom-ref']) }]);
});

test('the bill of materials lists the same packages as the licence notices', () => {
  const headings = [...noticesText('package', BUNDLED).matchAll(/^## (\S+) (\d\S*)$/gm)].map(([, ...one]) => one);
  const { components } = JSON.parse(billOfMaterials('package', BUNDLED)) as { components: readonly Component[] };
  expect(components.map(({ name, version }) => [name, version])).toEqual(headings);
  expect(headings).toContainEqual(['lit', '3.3.3']);
  expect(components.find(({ name }) => name === 'without-licence')).not.toHaveProperty('licenses');
});

test('what a package contains in compiled form is listed within it', () => {
  const { components } = JSON.parse(billOfMaterials('site', BUNDLED)) as { components: readonly Component[] };
  const parts = components.flatMap((one) => one.components?.map((part) => `${one.name}: ${part.name}`) ?? []);
  expect(parts).toEqual(expect.arrayContaining(['@mlc-ai/web-llm: XGrammar', '@wllama/wllama: llama.cpp']));
});

test('equal builds have equal bills of materials', () => {
  expect(billOfMaterials('site', BUNDLED)).toBe(billOfMaterials('site', BUNDLED.toReversed()));
});
