import type { checkRecord, CheckRules, ErpTopic } from '@gondola/shared/records/check-record';
import { isUnitName, UNIT_NAMES } from '@gondola/shared/units-and-money/units';
import { fileBlocks, groupProblems } from '../catalog/group-problems.ts';
import { explainReading, readingNotes, readRecords } from '../catalog/read-records.adapter.ts';
import { command, group, type Task } from '../command-line/command.ts';
import { argument, choice, flag, option, several, TENANT } from '../command-line/inputs.ts';
import { WrongUsage } from '../command-line/option-values.ts';
import { failedReport } from '../output/explain-failure.ts';
import { EXIT } from '../output/report.ts';
import type { Say } from '../texts/texts.ts';
import { TOPIC_NAMES, topicOf } from './record-topic.ts';
import { readTenantRules } from './tenant-rules.adapter.ts';

export const RECORDS = group('records', {
  check: command({
    about: {
      pt: 'Confere os registros de um arquivo .jsonl ou .csv isoladamente, com o código e os textos dos aplicativos; nenhum aplicativo precisa estar no ar',
      en: 'Checks the records of a .jsonl or .csv file by themselves, with the code and texts of the apps; no app has to run',
    },
    inputs: {
      file: argument('<file>'),
      topic: choice(
        '--topic <name>',
        {
          pt: 'tópico dos registros, um de {choices} (padrão: pelo nome do arquivo ou pelos campos)',
          en: 'topic of the records, one of {choices} (default: by the file name or the fields)',
        },
        TOPIC_NAMES,
      ),
      create: flag('--create', {
        pt: 'exige todos os campos obrigatórios para criar um produto e seus SKUs',
        en: 'requires every field that creates a product and its SKUs',
      }),
      tenants: option('--tenants <file>', {
        pt: 'arquivo de tenants (YAML ou JSON) cujas regras de catálogo valem: unidades, valores padrão, políticas, chaves permitidas',
        en: 'tenants file (YAML or JSON) whose catalog rules count: units, defaults, policies, allowed keys',
      }),
      tenant: TENANT,
      units: several('--unit <name=unit...>', {
        pt: 'unidade de um nome do ERP, como em catalog.units do arquivo de tenants: CX=Un',
        en: 'unit of an ERP’s name for it, as in catalog.units of the tenants file: CX=Un',
      }),
    },
    task: ({ file, topic, create, units, tenants, tenant }, { say }) => {
      if (tenant !== undefined && tenants === undefined) throw new WrongUsage(say('tenantWithoutFile'));
      return checkFile(file, topic, create, { units: unitsOf(units, say), tenants, tenant });
    },
    examples: [
      'produtos.jsonl --create',
      'produtos.csv --unit UN=Un CX=Un',
      'produtos.csv --create --tenants tenants.yaml --tenant acme',
      'comandos.jsonl --topic erp.orders.commands.v1 --json',
    ],
  }),
});

/** Checks every record by itself, with the code and the sentences of the apps, without calling an app. */
function checkFile(file: string, topic: ErpTopic | undefined, create: boolean, of: AskedRules): Task {
  return async ({ say }) => {
    const reading = await readRecords(file);
    if (reading.kind !== 'read') return failedReport(explainReading(reading, file, say));
    const check = await loadCheckRecord();
    const ofTenant = of.tenants === undefined ? {} : await readTenantRules(of.tenants, of.tenant, say);
    if (check === null || ofTenant === null)
      return failedReport({ code: 'NOT_BUILT', message: say('sharedNotBuilt'), exit: EXIT.failed });
    const rules = {
      language: say('languageTag') === 'en' ? 'en' : 'pt-BR',
      mode: create ? 'create' : 'update',
      ...ofTenant,
      units: { ...ofTenant.units, ...of.units },
    } as const;
    const checked = reading.records.map((record) => ({
      ...check(topic ?? topicOf(file, record), new TextEncoder().encode(record.text), rules),
    }));
    const found = groupProblems(reading.records, checked);
    const isGood = checked.every(({ outcome }) => outcome === 'valid');
    const exit = isGood ? EXIT.done : EXIT.failed;
    return { json: { file, ...found }, blocks: fileBlocks(found, say), notes: readingNotes(reading, file, say), exit };
  };
}

type Units = NonNullable<CheckRules['units']>;

/** Rules of a tenant: those of its tenants file, and units that the command names. */
interface AskedRules {
  readonly units: Units;
  readonly tenants: string | undefined;
  readonly tenant: string | undefined;
}

/** The units that the tenants file gives an ERP's names (`catalog.units`). */
function unitsOf(pairs: readonly string[], say: Say): Units {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name = '', unit] = pair.split('=', 2);
      if (name === '' || !isUnitName(unit))
        throw new WrongUsage(say('unitUnclear', { pair, units: UNIT_NAMES.join(', ') }));
      return [name, unit];
    }),
  );
}

/**
 * Loads the apps' own check of a record; null if it is not built. Only this command loads it: its classes have
 * decorators, which Node.js cannot run from the sources that all other commands use.
 */
async function loadCheckRecord(): Promise<typeof checkRecord | null> {
  try {
    return (await import('@gondola/shared/records/check-record')).checkRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}
