/** How a project of pictures speaks of its items: the noun, and what differs by more than the noun. */
export default {
  noun: {
    one: 'picture',
    other: 'pictures',
    One: 'Picture',
    Other: 'Pictures',
    a: 'a picture',
    A: 'A picture',
  },
  collect: {
    urls: {
      help: 'A label may follow after a comma or tab; several labels with | between.',
    },
  },
  data: {
    drop: {
      title: 'Drop pictures, folders or archives here',
      text: 'Pictures and folders are uploaded at once. For a zip, tar or table you first choose where the labels come from.',
    },
    filter: {
      search: 'Search by file name',
    },
    flags: {
      odd_size: 'odd size',
    },
    metadata: {
      text: 'Camera, site, batch or anything else that distinguishes pictures, to filter by.',
    },
  },
  deployments: {
    try: {
      drop: 'Drop a picture here, paste one, or click to choose',
    },
  },
  jobs: {
    failure: {
      out_of_memory: {
        hint: 'Choose a smaller batch, picture size or model, or run fewer jobs at the same time.',
      },
    },
  },
  labelling: {
    assist: {
      features: 'Analysing pictures: {{done}} of {{total}}',
    },
  },
  map: {
    lead: 'Similar pictures lie side by side. Select a group and label it at once, or find what does not belong.',
    looking: 'Analysing pictures',
  },
  overview: {
    step: {
      upload: {
        text: 'Drop a folder, a zip or single pictures. Folder names can become labels.',
      },
    },
  },
  quality: {
    empty_text: 'Every picture is checked once: duplicates, blur, exposure, odd shapes, outliers, and labels that a model doubts.',
    stage: {
      look: 'Analysing pictures',
    },
    facts: {
      handmade: 'layout, colours and edges',
    },
    notes: {
      no_weights:
        'The pretrained network was not available, so pictures were compared by layout, colours and edges. Outliers and doubtful labels are less reliable.',
    },
    kind: {
      exact_duplicate: {
        help: 'The same pixels in different files.',
      },
      near_duplicate: {
        help: 'The same picture rotated, mirrored, resized, recompressed, cropped or with different lighting.',
      },
      low_information: {
        help: 'One colour covers nearly all of the picture.',
      },
      odd_size: {
        title: 'Odd size',
        help: 'Much larger or smaller than is usual here.',
      },
    },
    evidence: {
      exact_duplicate: 'Identical pixels',
      low_information: '{{value}} of one colour',
    },
  },
  refusals: {
    picture_unreadable: {
      hint: 'Send a whole JPEG, PNG, WebP, BMP, GIF or TIFF file.',
    },
  },
}
