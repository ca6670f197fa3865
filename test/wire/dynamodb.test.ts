import { describeTranscripts } from './play-transcripts.ts';
import { dynamoVariants } from './variants.ts';

for (const variant of dynamoVariants) describeTranscripts(variant);
