/** Statistical words, explained where they are shown. */
export default {
  psi: 'Population stability index: how far two distributions lie apart. Below 0.1 hardly, from 0.25 on clearly.',
  ks: 'Kolmogorov-Smirnov distance: the largest difference between the shares of two distributions that lie below the same value. 0 is the same distribution, 1 is two that do not meet.',
  alpha:
    'Agreement of all people, corrected for chance: 1 is perfect, 0 is what guessing would give. From 0.8 on labels are reliable, below 0.67 hardly.',
  kappa: 'Agreement of two people, corrected for chance: 1 is perfect, 0 is what guessing would give.',
  ece: 'Expected calibration error: how far scores are on average from the share of correct answers. 0% means that a score can be read as a probability.',
}
