/** What a trade sells: description, price from and to in euros, rate of VAT. */
export interface Trade {
  names: readonly string[]
  pgc: string
  items: readonly (readonly [string, number, number, number])[]
}

export const trades = {
  hardware: {
    names: ['Ferretería', 'Suministros Industriales', 'Tornillería', 'Almacenes'],
    pgc: '602',
    items: [
      ['Tornillo rosca chapa DIN 7981 4,2x19', 0.03, 0.2, 21],
      ['Disco corte inox 115x1', 0.8, 2.4, 21],
      ['Guante nitrilo T-9', 1.1, 3.2, 21],
      ['Taladro percutor 18V 2x4Ah', 120, 240, 21],
      ['Cinta americana 50mm x 25m', 3, 7, 21],
      ['Silicona neutra 300 ml transparente', 3.2, 6.5, 21],
      ['Cable H07Z1-K 2,5 mm² azul (100 m)', 38, 70, 21],
      ['Codo PVC 90º Ø110', 1.9, 4.2, 21],
      ['Llave combinada 13', 4, 9, 21],
    ],
  },
  food: {
    names: ['Distribuciones', 'Alimentación', 'Frutas', 'Bodegas', 'Cárnicas'],
    pgc: '600',
    items: [
      ['Aceite de oliva virgen extra 5 L', 28, 48, 4],
      ['Harina de fuerza saco 25 kg', 14, 22, 4],
      ['Pan de molde sin corteza', 1.1, 2.2, 4],
      ['Tomate rama cat. I kg', 1.2, 2.9, 4],
      ['Atún claro lata 1 kg', 7, 12, 10],
      ['Lomo de cerdo fresco kg', 5, 8.5, 10],
      ['Queso semicurado mezcla 3 kg', 22, 34, 4],
      ['Cerveza barril 30 L', 62, 95, 21],
      ['Refresco cola 33 cl x 24', 9, 15, 21],
      ['Café grano natural 1 kg', 11, 19, 10],
      ['Servilleta 30x30 2 capas (4800 u.)', 24, 40, 21],
    ],
  },
  office: {
    names: ['Papelería', 'Ofimática', 'Soluciones Gráficas'],
    pgc: '629',
    items: [
      ['Papel A4 80 g 500 h', 3.4, 5.6, 21],
      ['Tóner compatible HP 26X negro', 28, 60, 21],
      ['Archivador palanca lomo 75', 1.9, 3.4, 21],
      ['Silla operativa con brazos', 110, 210, 21],
      ['Libro de texto Matemáticas 2º ESO', 24, 37, 4],
      ['Bolígrafo gel azul 0,7 (caja 12)', 7, 14, 21],
      ['Agenda 2026 día página', 8, 15, 21],
    ],
  },
  consulting: {
    names: ['Consultores', 'Asesores', 'Estudio', 'Soluciones'],
    pgc: '623',
    items: [
      ['Asesoramiento fiscal y contable mensual', 90, 380, 21],
      ['Elaboración de nóminas y seguros sociales', 15, 140, 21],
      ['Consultoría de procesos (jornada)', 320, 640, 21],
      ['Diseño de identidad corporativa', 400, 1900, 21],
      ['Desarrollo web a medida, hito 2', 900, 4200, 21],
      ['Mantenimiento de servidores', 80, 400, 21],
      ['Redacción de memoria técnica', 250, 900, 21],
      ['Campaña en redes sociales', 200, 800, 21],
    ],
  },
  cloud: {
    names: ['Cloud', 'Web Services', 'Digital Platforms', 'Software'],
    pgc: '629',
    items: [
      ['Compute Engine N2 vCPU 720 h', 18, 140, 21],
      ['Standard storage EU (GB-month)', 0.8, 24, 21],
      ['Plan Business (1 mes)', 24, 60, 21],
      ['Usuario adicional', 6, 15, 21],
      ['Transferencia de datos salientes', 1, 30, 21],
      ['Soporte Developer', 27, 29, 21],
      ['Licencia anual suite ofimática', 90, 140, 21],
    ],
  },
  telecom: {
    names: ['Telecom', 'Comunicaciones', 'Fibra', 'Móviles'],
    pgc: '629',
    items: [
      ['Cuota línea móvil 6XX XXX 412 Tarifa Infinita', 12, 34, 21],
      ['Fibra simétrica 600 Mb', 28, 42, 21],
      ['Alquiler centralita virtual', 9, 21, 21],
      ['Llamadas a números 902', 0.2, 6, 21],
      ['Bono roaming zona 2', 6, 15, 21],
      ['Mensajes premium', 0.3, 3, 21],
      ['Datos adicionales 5 GB', 3, 8, 21],
      ['Mantenimiento de línea', 13, 18, 21],
      ['Televisión empresas', 7, 25, 21],
      ['Pago a plazos terminal (cuota 7 de 24)', 9, 31, 21],
    ],
  },
  power: {
    names: ['Energía', 'Eléctrica', 'Comercializadora'],
    pgc: '628',
    items: [
      ['Término de potencia P1', 20, 90, 21],
      ['Término de potencia P2', 4, 22, 21],
      ['Energía consumida P1', 20, 160, 21],
      ['Energía consumida P2', 15, 90, 21],
      ['Energía consumida P3', 10, 80, 21],
      ['Impuesto sobre la electricidad', 2, 14, 21],
      ['Alquiler de equipos de medida', 0.8, 2.9, 21],
      ['Financiación del bono social', 0.4, 2, 21],
    ],
  },
  fuel: {
    names: ['Estación de Servicio', 'Combustibles', 'Gasóleos'],
    pgc: '628',
    items: [
      ['Diésel e+', 1.3, 1.75, 21],
      ['Gasolina 95', 1.4, 1.8, 21],
      ['Gasóleo A', 1.25, 1.6, 21],
      ['AdBlue', 0.7, 1.3, 21],
      ['Lavado prémium', 6, 13, 21],
    ],
  },
  bar: {
    names: ['Restaurante', 'Mesón', 'Cafetería', 'Asador'],
    pgc: '627',
    items: [
      ['Menú del día', 12, 18, 10],
      ['Agua 1/2 l', 1.2, 2.2, 10],
      ['Café con leche', 1.3, 2.1, 10],
      ['Ración croquetas', 7, 12, 10],
      ['Pulpo a feira', 14, 21, 10],
      ['Copa Ribera', 2.5, 4.5, 10],
      ['Entrecot', 17, 26, 10],
      ['Tarta de queso', 4.5, 6.5, 10],
    ],
  },
  hotel: {
    names: ['Hotel', 'Hostal', 'Hoteles', 'Apartamentos'],
    pgc: '629',
    items: [
      ['Alojamiento hab. doble uso individual', 52, 140, 10],
      ['Desayuno buffet', 7, 15, 10],
      ['Parking', 10, 20, 21],
      ['Minibar', 3, 14, 10],
      ['Media pensión', 16, 28, 10],
      ['Sala de reuniones', 120, 350, 21],
    ],
  },
  law: {
    names: ['Abogados', 'Bufete', 'Procuradores'],
    pgc: '623',
    items: [
      ['Honorarios por demanda de juicio ordinario', 400, 2600, 21],
      ['Redacción de contrato de arrendamiento', 150, 500, 21],
      ['Asistencia a juicio', 200, 800, 21],
      ['Consulta y estudio de documentación', 60, 240, 21],
      ['Recurso de apelación', 500, 1800, 21],
    ],
  },
  building: {
    names: ['Construcciones', 'Reformas', 'Obras y Servicios', 'Contratas'],
    pgc: '622',
    items: [
      ['m² Demolición de tabique de ladrillo hueco', 6, 14, 21],
      ['m² Alicatado azulejo 20x20 tomado con adhesivo', 22, 38, 21],
      ['ml Rodapié DM lacado blanco', 5, 11, 21],
      ['Ud Puerta de paso lisa lacada', 180, 310, 21],
      ['m² Pintura plástica lisa mate', 4.5, 9, 21],
      ['PA Ayudas de albañilería a instalaciones', 300, 1400, 21],
      ['m³ Hormigón HA-25 en zapatas', 85, 140, 21],
    ],
  },
  insurance: {
    names: ['Seguros', 'Mutua', 'Correduría'],
    pgc: '625',
    items: [
      ['Prima neta póliza multirriesgo', 180, 900, 0],
      ['Prima neta responsabilidad civil', 120, 600, 0],
    ],
  },
  rent: {
    names: ['Inmuebles', 'Patrimonial', 'Alquileres'],
    pgc: '621',
    items: [
      ['Renta mensual local comercial', 400, 2400, 21],
      ['Repercusión gastos de comunidad', 30, 140, 21],
      ['Repercusión IBI', 20, 180, 21],
    ],
  },
  garage: {
    names: ['Talleres', 'Automóviles', 'Neumáticos', 'Auto'],
    pgc: '622',
    items: [
      ['Mano de obra mecánica', 38, 65, 21],
      ['Filtro de aceite', 7, 18, 21],
      ['Aceite 5W30 C3', 8, 15, 21],
      ['Neumático 205/55 R16 91V', 58, 110, 21],
      ['Equilibrado', 5, 12, 21],
      ['Pastillas freno delanteras', 28, 65, 21],
      ['Kit distribución con bomba', 140, 310, 21],
    ],
  },
  school: {
    names: ['Academia', 'Formación', 'Clínica Dental'],
    pgc: '649',
    items: [
      ['Curso de prevención de riesgos 20 h', 90, 300, 0],
      ['Cuota mensual enseñanza reglada', 60, 220, 0],
      ['Tratamiento de ortodoncia, mensualidad', 70, 130, 0],
    ],
  },
  transport: {
    names: ['Transportes', 'Mensajería', 'Logística'],
    pgc: '624',
    items: [
      ['Porte Madrid-Valencia 3 palets', 90, 260, 21],
      ['Servicio urgente 24 h', 8, 28, 21],
      ['Recogida fuera de ruta', 6, 20, 21],
      ['Almacenaje palet/mes', 4, 12, 21],
    ],
  },
} satisfies Record<string, Trade>

export type TradeName = keyof typeof trades
